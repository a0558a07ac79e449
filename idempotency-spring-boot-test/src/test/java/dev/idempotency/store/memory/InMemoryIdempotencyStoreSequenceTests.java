package dev.idempotency.store.memory;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.test.MutableClock;
import dev.idempotency.test.SequenceContract;
import dev.idempotency.test.TestTime;
import java.time.Duration;

class InMemoryIdempotencyStoreSequenceTests extends SequenceContract {

    private final MutableClock clock = new MutableClock();

    @Override
    protected IdempotencyStore createStore(String namespace, Duration retention) {
        return new InMemoryIdempotencyStore(retention, 100_000, clock);
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
