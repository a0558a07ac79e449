package dev.idempotency.store.memory;

import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.test.ClaimingIdempotencyStoreContract;
import dev.idempotency.test.MutableClock;
import dev.idempotency.test.TestTime;
import java.time.Duration;

class InMemoryIdempotencyStoreContractTests extends ClaimingIdempotencyStoreContract {

    private final MutableClock clock = new MutableClock();

    @Override
    protected ClaimingIdempotencyStore createStore(String namespace, Duration retention) {
        return new InMemoryIdempotencyStore(retention, 100_000, clock);
    }

    @Override
    protected TestTime time() {
        return TestTime.of(clock, Duration.ofNanos(1));
    }

    @Override
    protected boolean isShared() {
        return false;
    }

    @Override
    protected int races() {
        return 200;
    }
}
