package dev.idempotency.store.jdbc;

import dev.idempotency.test.ClaimingIdempotencyStoreContract;
import dev.idempotency.test.TestTime;
import java.time.Duration;

/** The contract of claims on a database. */
abstract class JdbcClaimingContract extends ClaimingIdempotencyStoreContract {

    private final TestDatabase database;

    JdbcClaimingContract(TestDatabase database) {
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
