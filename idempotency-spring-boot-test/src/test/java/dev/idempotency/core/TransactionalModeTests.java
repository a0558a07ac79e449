package dev.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.idempotency.Execution;
import dev.idempotency.IdempotencyMode;
import dev.idempotency.MessageInFlightException;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.StoreFailurePolicy;
import dev.idempotency.StoreUnavailableException;
import dev.idempotency.Work;
import dev.idempotency.test.H2TransactionalStore;
import dev.idempotency.test.RecordingListener;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.support.TransactionTemplate;

/** The mark and the effect are in one commit: both are there, or neither is. O03, O06, O20 */
@Timeout(60)
class TransactionalModeTests {

    private static final MessageKey KEY = MessageKey.of("orders", "A");

    private final DriverManagerDataSource dataSource =
            new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=50");
    private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
    private final TransactionTemplate transaction =
            new TransactionTemplate(new DataSourceTransactionManager(dataSource));
    private final H2TransactionalStore store =
            new H2TransactionalStore(dataSource, "test", Duration.ofDays(1), InstantSource.system());
    private final RecordingListener outcomes = new RecordingListener();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @BeforeEach
    void createPayments() {
        jdbc.execute("create table payment (id varchar(50) primary key)");
    }

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    private IdempotencyTemplate template(IdempotencyMode mode) {
        return IdempotencyTemplate.builder(store)
                .mode(mode)
                .listener(outcomes)
                .inFlightWait(Duration.ZERO)
                .build();
    }

    private Work<String> paying(String id) {
        return () -> {
            jdbc.update("insert into payment values (?)", id);
            return "paid";
        };
    }

    private int payments() {
        return jdbc.queryForObject("select count(*) from payment", Integer.class);
    }

    @Test
    void commitsTheMarkWithTheEffect() throws Throwable {
        IdempotencyTemplate template = template(IdempotencyMode.TRANSACTIONAL);

        assertThat(template.execute(KEY, paying("1")).outcome()).isEqualTo(Outcome.PROCESSED);
        assertThat(template.execute(KEY, paying("2")).outcome()).isEqualTo(Outcome.DUPLICATE);

        assertThat(payments()).isOne();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE);
    }

    @Test
    void rollsTheMarkBackWithTheEffectOfAHandlerThatFails() {
        IllegalStateException failure = new IllegalStateException("after the insert");

        assertThat(catchThrowable(() -> template(IdempotencyMode.TRANSACTIONAL).execute(KEY, () -> {
                    paying("1").run();
                    throw failure;
                })))
                .isSameAs(failure);

        assertThat(payments()).isZero();
        assertThat(store.seen(KEY)).isFalse();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED);
    }

    // A unique violation of the handler's own statement is the handler's failure, never a lost race.
    @Test
    void takesAViolationInTheHandlerForItsFailure() throws Throwable {
        jdbc.update("insert into payment values ('1')");

        assertThatExceptionOfType(DuplicateKeyException.class)
                .isThrownBy(() -> template(IdempotencyMode.TRANSACTIONAL).execute(KEY, paying("1")));

        assertThat(store.seen(KEY)).isFalse();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED);
    }

    // Rolled back without an exception: nothing was processed, whatever the return says.
    @Test
    void countsWhatTheTransactionDidAndNotWhatTheHandlerReturned() throws Throwable {
        IdempotencyTemplate template = template(IdempotencyMode.TRANSACTIONAL);

        catchThrowable(() -> template.execute(KEY, () -> {
            transaction.executeWithoutResult(status -> status.setRollbackOnly());
            return "quiet";
        }));

        assertThat(store.seen(KEY)).isFalse();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED);
    }

    // O06
    @Test
    void recordsAndJudgesBeforeTheHandlerRuns() throws Exception {
        IdempotencyTemplate template = template(IdempotencyMode.TRANSACTIONAL);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        Future<?> first = threads.submit(() -> {
            try {
                return template.execute(KEY, () -> {
                    entered.countDown();
                    gate.await();
                    return paying("1").run();
                });
            } catch (Throwable ex) {
                throw new IllegalStateException(ex);
            }
        });
        entered.await();

        assertThatExceptionOfType(MessageInFlightException.class).isThrownBy(() -> template.execute(KEY, paying("2")));
        gate.countDown();
        first.get();

        assertThat(payments()).isOne();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.IN_FLIGHT, Outcome.PROCESSED);
        // O20: a lost race is no failure of the store
        assertThat(outcomes.results("record")).contains("held").doesNotContain("error");
    }

    @ParameterizedTest
    @EnumSource(names = {"AUTO", "AFTER_SUCCESS", "TRANSACTIONAL"})
    void joinsAnOpenTransactionOnTheStoreInEveryMode(IdempotencyMode mode) {
        IdempotencyTemplate template = template(mode);

        transaction.executeWithoutResult(status -> {
            execute(template, paying("1"));
            assertThat(outcomes.outcomes()).isEmpty();
            status.setRollbackOnly();
        });
        assertThat(store.seen(KEY)).isFalse();
        assertThat(payments()).isZero();

        transaction.executeWithoutResult(status -> execute(template, paying("1")));
        assertThat(store.seen(KEY)).isTrue();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED, Outcome.PROCESSED);
    }

    // K3
    @Test
    void leavesTheCallersTransactionUsableAfterASkip() {
        IdempotencyTemplate template = template(IdempotencyMode.TRANSACTIONAL);
        execute(template, paying("1"));

        transaction.executeWithoutResult(status -> {
            assertThat(execute(template, paying("2")).outcome()).isEqualTo(Outcome.DUPLICATE);
            jdbc.update("insert into payment values ('of the caller')");
        });

        assertThat(payments()).isEqualTo(2);
    }

    @Test
    void neverCommitsTheMarkOfAFailureThatTheCallerSwallows() {
        IdempotencyTemplate template = template(IdempotencyMode.TRANSACTIONAL);

        catchThrowable(() ->
                transaction.executeWithoutResult(status -> catchThrowable(() -> template.execute(KEY, () -> {
                    throw new IllegalStateException("swallowed");
                }))));

        assertThat(store.seen(KEY)).isFalse();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED);
    }

    @Test
    void defersWhereTheStoreDoesNotAnswer() {
        jdbc.execute("drop table message");

        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> template(IdempotencyMode.TRANSACTIONAL).execute(KEY, paying("1")))
                .withCauseInstanceOf(DataAccessException.class);
        assertThat(payments()).isZero();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.DEFERRED);
    }

    @Test
    void runsUnguardedWhereThePolicySaysSo() throws Throwable {
        jdbc.execute("drop table message");

        Execution<String> execution = template(IdempotencyMode.TRANSACTIONAL)
                .mutate()
                .onStoreFailure(StoreFailurePolicy.PROCESS)
                .build()
                .execute(KEY, paying("1"));

        assertThat(execution).isEqualTo(new Execution<>(Outcome.UNGUARDED, "paid"));
        assertThat(payments()).isOne();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.UNGUARDED);
    }

    private static Execution<String> execute(IdempotencyTemplate template, Work<String> work) {
        try {
            return template.execute(KEY, work);
        } catch (RuntimeException | Error ex) {
            throw ex;
        } catch (Throwable ex) {
            throw new IllegalStateException(ex);
        }
    }
}
