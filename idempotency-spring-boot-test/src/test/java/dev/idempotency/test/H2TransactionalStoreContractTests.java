package dev.idempotency.test;

import dev.idempotency.TransactionalIdempotencyStore;
import java.time.Duration;
import java.util.UUID;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;

class H2TransactionalStoreContractTests extends TransactionalIdempotencyStoreContract {

    private final MutableClock clock = new MutableClock();
    private final JdbcConnectionPool dataSource = dataSource();

    static JdbcConnectionPool dataSource() {
        return JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";LOCK_TIMEOUT=50", "sa", "");
    }

    @AfterEach
    void closeDataSource() {
        dataSource.dispose();
    }

    @Override
    protected TransactionalIdempotencyStore createStore(String namespace, Duration retention) {
        return new H2TransactionalStore(dataSource, namespace, retention, clock);
    }

    @Override
    protected TestTime time() {
        return TestTime.of(clock);
    }
}
