package dev.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import dev.idempotency.Claim;
import dev.idempotency.IdempotencyMode;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.StoreUnavailableException;
import dev.idempotency.core.IdempotencyTemplate;
import dev.idempotency.store.jdbc.TestDatabase.Isolation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** K3: what the guard does in a transaction of the caller's leaves that one usable, and takes no second connection. */
@Timeout(60)
@ParameterizedClass
@EnumSource
class CallersTransactionTests {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final MessageKey KEY = MessageKey.of("orders", "A");

    private final TestDatabase database;
    private final JdbcIdempotencyStore store;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final String run = UUID.randomUUID().toString();

    CallersTransactionTests(EachDatabase each) {
        database = each.database();
        store = database.store("callers-" + run, HOUR);
        jdbc = new JdbcTemplate(database.dataSource());
        transaction = new TransactionTemplate(new JdbcTransactionManager(database.dataSource()));
    }

    @BeforeEach
    void createTable() {
        jdbc.execute("create table if not exists callers_effect (id varchar(100) not null)");
    }

    private void insertEffect() {
        jdbc.update("insert into callers_effect values (?)", run);
    }

    private int effects() {
        return jdbc.queryForList("select id from callers_effect where id = ?", String.class, run)
                .size();
    }

    private IdempotencyTemplate guard(JdbcIdempotencyStore on, IdempotencyMode mode) {
        return IdempotencyTemplate.builder(on)
                .mode(mode)
                .inFlightWait(Duration.ZERO)
                .build();
    }

    // O14, O15: no statement fails, so that the commit does not, either
    @ParameterizedTest
    @EnumSource(names = {"TRANSACTIONAL", "CLAIM", "AFTER_SUCCESS"})
    void commitsWhatTheCallerDoesAfterADuplicate(IdempotencyMode mode) {
        IdempotencyTemplate guard = guard(store, mode);
        store.remember(KEY);

        transaction.executeWithoutResult(status -> {
            insertEffect();
            assertThat(outcome(guard)).isEqualTo(Outcome.DUPLICATE);
            insertEffect();
            assertThat(status.isRollbackOnly()).isFalse();
        });

        assertThat(effects()).isEqualTo(2);
    }

    // O17: what another has committed since the snapshot of the caller is no new message
    @ParameterizedTest
    @ValueSource(
            ints = {
                TransactionDefinition.ISOLATION_READ_COMMITTED,
                TransactionDefinition.ISOLATION_REPEATABLE_READ,
                TransactionDefinition.ISOLATION_SERIALIZABLE
            })
    void answersTheSameWhateverTheCallersIsolation(int isolation) throws Exception {
        transaction.setIsolationLevel(isolation);
        MessageKey other = MessageKey.of("orders", "B");
        assertThat(afterRemembering(KEY, () -> store.record(KEY))).isNotEqualTo(Claim.ACQUIRED);
        assertThat(afterRemembering(other, () -> store.claim(other, "owner", Duration.ofMinutes(1))))
                .isNotEqualTo(Claim.ACQUIRED);
        assertThat(store.seenAmong(List.of(KEY, other))).hasSize(2);
    }

    private Claim afterRemembering(MessageKey key, Supplier<Claim> question) {
        return transaction.execute(status -> {
            effects();
            CompletableFuture.runAsync(() -> store.remember(key)).join();
            status.setRollbackOnly();
            return question.get();
        });
    }

    // O08
    @ParameterizedTest
    @EnumSource(names = {"TRANSACTIONAL", "CLAIM"})
    void needsNoMoreConnectionsThanThereAreTransactions(IdempotencyMode mode) throws Exception {
        int size = 4;
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(database.dataSource());
            pool.setMaximumPoolSize(size);
            // at which no commit fails because of another
            pool.setTransactionIsolation(Isolation.TRANSACTION_READ_COMMITTED.name());
            pool.setConnectionTimeout(2_000);
            IdempotencyTemplate guard = guard(database.store(pool, "callers-" + run, HOUR), mode);
            JdbcTemplate own = new JdbcTemplate(pool);
            TransactionTemplate outer = new TransactionTemplate(new JdbcTransactionManager(pool));
            CyclicBarrier allOpen = new CyclicBarrier(size);
            ExecutorService threads = Executors.newFixedThreadPool(size);
            try {
                List<Future<Outcome>> outcomes = new ArrayList<>();
                for (int i = 0; i < size; i++) {
                    MessageKey key = MessageKey.of("orders", "id" + i);
                    outcomes.add(threads.submit(() -> outer.execute(status -> {
                        own.update("insert into callers_effect values (?)", run);
                        try {
                            allOpen.await();
                            return guard.execute(key, () -> null).outcome();
                        } catch (Throwable ex) {
                            throw new IllegalStateException(ex);
                        }
                    })));
                }
                for (Future<Outcome> outcome : outcomes) {
                    assertThat(outcome.get(30, TimeUnit.SECONDS)).isEqualTo(Outcome.PROCESSED);
                }
            } finally {
                threads.shutdownNow();
            }
            assertThat(effects()).isEqualTo(size);
            assertThat(store.seenAmong(List.of(MessageKey.of("orders", "id0"), MessageKey.of("orders", "id3"))))
                    .hasSize(2);
        }
    }

    // O09
    @Test
    void saysThatATransactionWhichOnlyReadsCannotRecord() {
        transaction.setReadOnly(true);
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> transaction.executeWithoutResult(
                        status -> outcome(guard(store, IdempotencyMode.TRANSACTIONAL))))
                .havingRootCause()
                .withMessageContaining("read-only");
        assertThat(store.seen(KEY)).isFalse();
    }

    // O09: but one that begins within the guard is nothing to it
    @Test
    void claimsForAHandlerThatOnlyReads() throws Throwable {
        transaction.setReadOnly(true);
        IdempotencyTemplate guard = guard(store, IdempotencyMode.CLAIM);

        assertThat(guard.execute(KEY, () -> transaction.execute(status -> effects()))
                        .outcome())
                .isEqualTo(Outcome.PROCESSED);

        assertThat(store.seen(KEY)).isTrue();
    }

    private static Outcome outcome(IdempotencyTemplate guard) {
        try {
            return guard.execute(KEY, () -> null).outcome();
        } catch (RuntimeException ex) {
            throw ex;
        } catch (Throwable ex) {
            throw new IllegalStateException(ex);
        }
    }
}
