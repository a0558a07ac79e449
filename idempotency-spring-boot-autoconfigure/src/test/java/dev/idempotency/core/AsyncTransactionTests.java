package dev.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.idempotency.Claim;
import dev.idempotency.IdempotencyMode;
import dev.idempotency.MessageInFlightException;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.fixture.Database;
import dev.idempotency.fixture.H2Store;
import dev.idempotency.fixture.RecordingOutcomes;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** K1 and K11: a mark takes the success of the work and the commit of the transaction, in whatever order. */
@Timeout(30)
class AsyncTransactionTests {

    private static final MessageKey KEY = MessageKey.of("orders", "A");

    private final FaultyStore store = new FaultyStore();
    private final RecordingOutcomes outcomes = new RecordingOutcomes();
    private final DataSource dataSource = Database.inMemory();
    private final DataSourceTransactionManager manager = new DataSourceTransactionManager(dataSource);
    private final TransactionTemplate transaction = new TransactionTemplate(manager);
    private final CompletableFuture<String> work = new CompletableFuture<>();
    private final IdempotencyTemplate claiming = IdempotencyTemplate.builder(store)
            .mode(IdempotencyMode.CLAIM)
            .listener(outcomes)
            .asynchronous()
            .build();

    private static <T> T execute(IdempotencyTemplate template, T result) {
        return UncheckedCall.execute(template, KEY, () -> result).value();
    }

    @Test
    void marksAtTheCommitWhenTheWorkHasEndedBefore() {
        transaction.executeWithoutResult(status -> {
            CompletableFuture<String> handedOut = execute(claiming, work);
            work.complete("value");
            // whoever waits for the work inside the transaction must not wait for its end
            assertThat(handedOut.join()).isEqualTo("value");
            assertThat(store.seen(KEY)).isFalse();
            assertThat(outcomes.outcomes()).isEmpty();
        });
        assertThat(store.seen(KEY)).isTrue();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.PROCESSED);
    }

    @Test
    void marksAtTheEndOfTheWorkWhenTheCommitHasComeBefore() {
        transaction.executeWithoutResult(status -> execute(claiming, work));
        assertThat(store.seen(KEY)).isFalse();

        work.complete("value");

        await().until(() -> store.seen(KEY));
    }

    @Test
    void leavesNoMarkWhenTheTransactionRollsBackAfterTheWork() {
        transaction.executeWithoutResult(status -> {
            CompletableFuture<String> handedOut = execute(claiming, work);
            work.complete("value");
            handedOut.join();
            status.setRollbackOnly();
        });
        assertThat(store.claim(KEY, "next", Duration.ofMinutes(1))).isEqualTo(Claim.ACQUIRED);
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED);
    }

    // K2: while the work goes on a copy would overlap with it
    @Test
    void keepsTheClaimOfWorkThatOutlivesItsRolledBackTransaction() {
        transaction.executeWithoutResult(status -> {
            execute(claiming, work);
            status.setRollbackOnly();
        });
        assertThat(store.claim(KEY, "next", Duration.ofMinutes(1))).isEqualTo(Claim.HELD);

        work.complete("value");

        await().until(() -> store.claim(KEY, "next", Duration.ofMinutes(1)) == Claim.ACQUIRED);
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED);
    }

    @Test
    void leavesNoMarkWhenTheWorkFailsBeforeTheCommit() {
        transaction.executeWithoutResult(status -> {
            CompletableFuture<String> handedOut = execute(claiming, work);
            work.completeExceptionally(new IllegalStateException("late"));
            assertThatThrownBy(handedOut::join).hasRootCauseMessage("late");
        });
        assertThat(store.claim(KEY, "next", Duration.ofMinutes(1))).isEqualTo(Claim.ACQUIRED);
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED);
    }

    // its copy does not share the fate of the transaction alone
    @Test
    void takesNoCopyInTheSameTransactionForADuplicate() {
        transaction.executeWithoutResult(status -> {
            execute(claiming, work);
            assertThatExceptionOfType(MessageInFlightException.class).isThrownBy(() -> execute(claiming, work));
        });
    }

    @Test
    void skipsACopyInTheSameTransactionOnceTheWorkHasEnded() {
        CompletableFuture<String> copy = new CompletableFuture<>();
        transaction.executeWithoutResult(status -> {
            CompletableFuture<String> handedOut = execute(claiming, work);
            work.complete("value");
            handedOut.join();
            assertThat(execute(claiming, copy)).isNull();
        });
        assertThat(outcomes.outcomes()).containsExactly(Outcome.DUPLICATE, Outcome.PROCESSED);
    }

    @Test
    void takesNoCopyOfFailedWorkForADuplicate() {
        transaction.executeWithoutResult(status -> {
            CompletableFuture<String> handedOut = execute(claiming, work);
            work.completeExceptionally(new IllegalStateException("late"));
            assertThatThrownBy(handedOut::join).hasRootCauseMessage("late");
            assertThat(execute(claiming, CompletableFuture.completedFuture("again"))
                            .join())
                    .isEqualTo("again");
        });
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED, Outcome.PROCESSED);
    }

    @Test
    void takesNoPartInATransactionOnTheStore() {
        H2Store transactional = new H2Store(dataSource, manager);
        IdempotencyTemplate template = IdempotencyTemplate.builder(transactional)
                .mode(IdempotencyMode.AFTER_SUCCESS)
                .listener(outcomes)
                .asynchronous()
                .build();

        transaction.executeWithoutResult(status -> execute(template, work));
        assertThat(transactional.marks()).isZero();

        work.completeExceptionally(new IllegalStateException("late"));

        await().until(() -> outcomes.outcomes().contains(Outcome.FAILED));
        assertThat(transactional.marks()).isZero();
        assertThat(transactional.begun()).isEmpty();
    }

    // O26 in kind: the commit would come before the end of the work
    @Test
    void refusesWorkThatTurnsOutToGoOnInATransactionOnTheStore() {
        H2Store transactional = new H2Store(dataSource, manager);
        IdempotencyTemplate template = transactional(transactional);

        assertThatIllegalStateException()
                .isThrownBy(() -> execute(template, work))
                .withMessageContaining("Work has not ended at its return")
                .withMessageContaining("CLAIM");
        assertThatThrownBy(() ->
                        execute(template, CompletableFuture.failedFuture(new IllegalArgumentException("at once"))))
                .hasMessage("at once");

        assertThat(transactional.marks()).isZero();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED, Outcome.FAILED);

        assertThat(execute(template, CompletableFuture.completedFuture("value")).join())
                .isEqualTo("value");
        assertThat(transactional.marks()).isOne();
    }

    @Test
    void refusesModeTransactionalForAsynchronousWork() {
        IdempotencyTemplateBuilder builder = IdempotencyTemplate.builder(new H2Store(dataSource, manager))
                .mode(IdempotencyMode.TRANSACTIONAL)
                .asynchronous();

        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessageContaining("TRANSACTIONAL cannot be had of asynchronous work");
    }

    private IdempotencyTemplate transactional(H2Store transactional) {
        return IdempotencyTemplate.builder(transactional)
                .mode(IdempotencyMode.TRANSACTIONAL)
                .listener(outcomes)
                .build();
    }
}
