package dev.idempotency.store.jdbc;

import dev.idempotency.test.SequenceContract;
import dev.idempotency.test.TestTime;
import java.time.Duration;

/** The sequences of deliveries on a database. */
abstract class JdbcSequences extends SequenceContract {

    private final TestDatabase database;

    JdbcSequences(TestDatabase database) {
        this.database = database;
    }

    @Override
    protected JdbcIdempotencyStore createStore(String namespace, Duration retention) {
        return database.store(namespace, retention);
    }

    @Override
    protected TestTime time() {
        return database;
    }
}
