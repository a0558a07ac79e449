package dev.idempotency.test;

import dev.idempotency.IdempotencyStore;
import java.time.Duration;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;

class H2TransactionalStoreSequenceTests extends SequenceContract {

    private final MutableClock clock = new MutableClock();
    private final JdbcConnectionPool dataSource = H2TransactionalStoreContractTests.dataSource();

    @AfterEach
    void closeDataSource() {
        dataSource.dispose();
    }

    @Override
    protected IdempotencyStore createStore(String namespace, Duration retention) {
        return new H2TransactionalStore(dataSource, namespace, retention, clock);
    }

    @Override
    protected TestTime time() {
        return TestTime.of(clock);
    }
}
