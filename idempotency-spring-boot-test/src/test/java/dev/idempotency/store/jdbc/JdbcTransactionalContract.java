package dev.idempotency.store.jdbc;

import dev.idempotency.test.TestTime;
import dev.idempotency.test.TransactionalIdempotencyStoreContract;
import java.time.Duration;

/** The contract of transactions on a database. */
abstract class JdbcTransactionalContract extends TransactionalIdempotencyStoreContract {

    private final TestDatabase database;

    JdbcTransactionalContract(TestDatabase database) {
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
