package dev.idempotency.core;

import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.IdempotencyStore;
import org.jspecify.annotations.Nullable;

/** What all guards of one store share. */
final class StoreContext {

    private final IdempotencyStore store;
    private final StoreCalls calls;
    private final Shutdown shutdown;
    private final Transactions transactions;
    private final Completions completions;
    private final Warnings warnings = new Warnings();
    private final @Nullable LeaseKeeper leases;

    StoreContext(
            IdempotencyStore store,
            String name,
            Observers observers,
            Shutdown shutdown,
            Transactions transactions,
            Completions completions) {
        this.store = store;
        this.calls = new StoreCalls(name, observers);
        this.shutdown = shutdown;
        this.transactions = transactions;
        this.completions = completions;
        this.leases =
                store instanceof ClaimingIdempotencyStore claiming ? new LeaseKeeper(claiming, calls, shutdown) : null;
    }

    IdempotencyStore store() {
        return store;
    }

    StoreCalls calls() {
        return calls;
    }

    Shutdown shutdown() {
        return shutdown;
    }

    Transactions transactions() {
        return transactions;
    }

    Completions completions() {
        return completions;
    }

    Warnings warnings() {
        return warnings;
    }

    /** Returns the keeper of leases; null if the store has none. */
    @Nullable
    LeaseKeeper leases() {
        return leases;
    }
}
