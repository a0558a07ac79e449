package dev.idempotency.core;

import dev.idempotency.IdempotencyStore;
import java.util.IdentityHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** What all templates derived from one another share. */
final class Shared {

    private final Observers observers;
    private final Shutdown shutdown = new Shutdown();
    private final Transactions transactions = Transactions.detect();
    private final IdentityHashMap<IdempotencyStore, StoreContext> contexts = new IdentityHashMap<>();
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

    StoreContext contextOf(IdempotencyStore store, String name) {
        lock.lock();
        try {
            return contexts.computeIfAbsent(
                    store, added -> new StoreContext(added, name, observers, shutdown, transactions));
        } finally {
            lock.unlock();
        }
    }
}
