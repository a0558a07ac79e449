package dev.idempotency.test;

import dev.idempotency.IdempotencyStore;
import java.time.Duration;

class ThreeVerbStoreContractTests extends IdempotencyStoreContract {

    private final MutableClock clock = new MutableClock();

    @Override
    protected IdempotencyStore createStore(String namespace, Duration retention) {
        return new ThreeVerbStore(retention, clock);
    }

    @Override
    protected TestTime time() {
        return TestTime.of(clock);
    }

    @Override
    protected boolean isShared() {
        return false;
    }
}
