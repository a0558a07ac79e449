package dev.idempotency.core;

import dev.idempotency.IdempotencyStore;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** What all templates derived from one another share. */
final class Shared {

    private final Observers observers;
    private final Shutdown shutdown = new Shutdown();
    private final Completions completions = new Completions();
    private final Transactions transactions = Transactions.detect();
    private final IdentityHashMap<IdempotencyStore, StoreContext> contexts = new IdentityHashMap<>();
    private final Set<String> withoutIds = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();

    Shared(Observers observers) {
        this.observers = observers;
    }

    Observers observers() {
        return observers;
    }

    Shutdown shutdown() {
        return shutdown;
    }

    Completions completions() {
        return completions;
    }

    /** Returns true at the first message of a consumer that has no usable id, and never again for that consumer. */
    boolean isFirstWithoutId(String consumer) {
        return withoutIds.add(consumer);
    }

    StoreContext contextOf(IdempotencyStore store, String name) {
        lock.lock();
        try {
            return contexts.computeIfAbsent(
                    store, added -> new StoreContext(added, name, observers, shutdown, transactions, completions));
        } finally {
            lock.unlock();
        }
    }
}
