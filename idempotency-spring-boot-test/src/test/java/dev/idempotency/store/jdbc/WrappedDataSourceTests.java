package dev.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.idempotency.IdempotencyMode;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.StoreUnavailableException;
import dev.idempotency.core.IdempotencyTemplate;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** K1: the store, the manager and the handler mean the same connection, or no mark is made at all. */
@ParameterizedClass
@EnumSource
class WrappedDataSourceTests {

    private static final MessageKey KEY = MessageKey.of("orders", "A");
    private static final IllegalStateException FAILURE = new IllegalStateException("after the insert");

    private final TestDatabase database;
    private final DataSource target;
    private final JdbcTemplate jdbc;
    private final String run = UUID.randomUUID().toString();

    WrappedDataSourceTests(EachDatabase each) {
        database = each.database();
        target = database.dataSource();
        jdbc = new JdbcTemplate(target);
    }

    @BeforeEach
    void createTable() {
        jdbc.execute("create table if not exists wrapped_effect (id varchar(100) not null)");
    }

    private JdbcIdempotencyStore store(DataSource stores, DataSource managers) {
        return new JdbcIdempotencyStore(
                stores,
                new JdbcTransactionManager(managers),
                JdbcIdempotencyStore.DEFAULT_TABLE,
                "wrapped-" + run,
                Duration.ofHours(1),
                database.dialect());
    }

    @Test
    void sharesTheTransactionOfWhatAnAwareProxyStandsFor() throws Throwable {
        assertOneTransaction(store(new TransactionAwareDataSourceProxy(target), target), target);
    }

    @Test
    void sharesTheTransactionWithAHandlerOnAnAwareProxy() throws Throwable {
        assertOneTransaction(store(target, target), new TransactionAwareDataSourceProxy(target));
    }

    @Test
    void sharesTheTransactionOfALazyProxy() throws Throwable {
        LazyConnectionDataSourceProxy lazy = new LazyConnectionDataSourceProxy(target);
        assertOneTransaction(store(lazy, lazy), lazy);
    }

    private void assertOneTransaction(JdbcIdempotencyStore store, DataSource handlers) throws Throwable {
        IdempotencyTemplate guard = guard(store);
        JdbcTemplate handler = new JdbcTemplate(handlers);

        assertThat(catchThrowable(() -> guard.execute(KEY, () -> {
                    handler.update("insert into wrapped_effect values (?)", run);
                    throw FAILURE;
                })))
                .isSameAs(FAILURE);
        assertThat(effects()).isZero();
        assertThat(store.seen(KEY)).isFalse();

        for (Outcome outcome : new Outcome[] {Outcome.PROCESSED, Outcome.DUPLICATE}) {
            assertThat(guard.execute(KEY, () -> handler.update("insert into wrapped_effect values (?)", run))
                            .outcome())
                    .isEqualTo(outcome);
        }
        assertThat(effects()).isOne();
        assertThat(store.seen(KEY)).isTrue();
    }

    @Test
    void recordsNothingWhereTheManagersTransactionIsOnAWrapper() {
        assertRefused(store(target, new DelegatingDataSource(target)));
    }

    @Test
    void recordsNothingWhereItIsOnAWrapperItself() {
        assertRefused(store(new DelegatingDataSource(target), target));
    }

    private void assertRefused(JdbcIdempotencyStore store) {
        AtomicInteger runs = new AtomicInteger();
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> guard(store).execute(KEY, runs::incrementAndGet))
                .havingRootCause()
                .withMessageContaining("must use that very DataSource, and not a wrapper of it");
        assertThat(runs).hasValue(0);
        assertThat(store(target, target).seen(KEY)).isFalse();
    }

    private static IdempotencyTemplate guard(JdbcIdempotencyStore store) {
        return IdempotencyTemplate.builder(store)
                .mode(IdempotencyMode.TRANSACTIONAL)
                .inFlightWait(Duration.ZERO)
                .build();
    }

    private int effects() {
        return jdbc.queryForList("select id from wrapped_effect where id = ?", String.class, run)
                .size();
    }
}
