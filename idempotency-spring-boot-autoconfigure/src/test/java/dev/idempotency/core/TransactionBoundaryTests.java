package dev.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.idempotency.Execution;
import dev.idempotency.IdempotencyMode;
import dev.idempotency.MessageInFlightException;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.fixture.RecordingOutcomes;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** K1: a mark shares the fate of the transaction that was open when the call began. */
class TransactionBoundaryTests {

    private static final MessageKey KEY = MessageKey.of("orders", "A");

    private final FaultyStore store = new FaultyStore();
    private final RecordingOutcomes outcomes = new RecordingOutcomes();
    private final DataSourceTransactionManager manager = new DataSourceTransactionManager(
            new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1"));
    private final TransactionTemplate transaction = new TransactionTemplate(manager);
    private IdempotencyTemplate template;

    @BeforeEach
    void makeTemplate() {
        template = template(IdempotencyMode.CLAIM);
    }

    private IdempotencyTemplate template(IdempotencyMode mode) {
        return IdempotencyTemplate.builder(store)
                .mode(mode)
                .listener(outcomes)
                .inFlightWait(Duration.ofSeconds(20))
                .build();
    }

    private static Execution<String> execute(IdempotencyTemplate template) {
        return UncheckedCall.execute(template, KEY, Handler.succeeding());
    }

    // O02, O03
    @ParameterizedTest
    @EnumSource(names = {"AFTER_SUCCESS", "CLAIM"})
    void marksAfterTheCommitAndCountsThen(IdempotencyMode mode) {
        IdempotencyTemplate inMode = template(mode);

        transaction.executeWithoutResult(status -> {
            assertThat(execute(inMode).outcome()).isEqualTo(Outcome.PROCESSED);
            assertThat(store.seen(KEY)).isFalse();
            assertThat(outcomes.outcomes()).isEmpty();
        });

        assertThat(store.seen(KEY)).isTrue();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.PROCESSED);
    }

    // O02
    @ParameterizedTest
    @EnumSource(names = {"AFTER_SUCCESS", "CLAIM"})
    void leavesNoMarkWhenTheTransactionRollsBack(IdempotencyMode mode) {
        IdempotencyTemplate inMode = template(mode);

        transaction.executeWithoutResult(status -> {
            execute(inMode);
            status.setRollbackOnly();
        });

        assertThat(store.seen(KEY)).isFalse();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED);
        assertThat(execute(inMode).outcome()).isEqualTo(Outcome.PROCESSED);
    }

    @ParameterizedTest
    @EnumSource(names = {"AFTER_SUCCESS", "CLAIM"})
    void skipsAFurtherCopyInsideTheSameTransaction(IdempotencyMode mode) {
        IdempotencyTemplate inMode = template(mode);

        transaction.executeWithoutResult(status -> {
            execute(inMode);
            assertThat(execute(inMode).outcome()).isEqualTo(Outcome.DUPLICATE);
        });

        assertThat(outcomes.outcomes()).containsExactly(Outcome.DUPLICATE, Outcome.PROCESSED);
    }

    // O07: an attempt in the same transaction is not blocked by an earlier one that failed
    @Test
    void runsASecondAttemptInTheSameTransactionAfterAFailure() {
        transaction.executeWithoutResult(status -> {
            assertThat(catchThrowable(() -> template.execute(KEY, Handler.failing(new IllegalStateException("x")))))
                    .hasMessage("x");
            assertThat(execute(template).outcome()).isEqualTo(Outcome.PROCESSED);
        });

        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED, Outcome.PROCESSED);
        assertThat(store.seen(KEY)).isTrue();
    }

    @Test
    void followsTheInnerTransactionThatTheHandlerTookPartIn() {
        TransactionTemplate inner = new TransactionTemplate(manager);
        inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

        transaction.executeWithoutResult(status -> {
            inner.executeWithoutResult(innerStatus -> execute(template));
            assertThat(store.seen(KEY)).isTrue();
            status.setRollbackOnly();
        });

        assertThat(outcomes.outcomes()).containsExactly(Outcome.PROCESSED);
    }

    @Test
    void leavesNoMarkWhenTheSavepointBeforeItIsRolledBackTo() {
        TransactionTemplate nested = new TransactionTemplate(manager);
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);

        transaction.executeWithoutResult(status -> {
            execute(template(IdempotencyMode.AFTER_SUCCESS).mutate().build());
            nested.executeWithoutResult(nestedStatus -> {
                try {
                    template.execute(MessageKey.of("orders", "B"), Handler.succeeding());
                } catch (Throwable ex) {
                    throw new IllegalStateException(ex);
                }
                nestedStatus.setRollbackOnly();
            });
        });

        assertThat(store.seen(KEY)).isTrue();
        assertThat(store.seen(MessageKey.of("orders", "B"))).isFalse();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED, Outcome.PROCESSED);
    }

    // O08: waiting would hold the connection of the open transaction
    @Test
    void doesNotWaitInsideATransaction() {
        store.claim(KEY, "other", Duration.ofMinutes(1));

        transaction.executeWithoutResult(status ->
                assertThatExceptionOfType(MessageInFlightException.class).isThrownBy(() -> execute(template)));

        assertThat(outcomes.operations()).containsExactly("claim:held");
    }

    @Test
    void keepsAndRenewsTheClaimUntilTheTransactionEnds() {
        IdempotencyTemplate shortLease =
                template.mutate().lease(Duration.ofSeconds(1)).build();
        Handler copy = Handler.succeeding();

        transaction.executeWithoutResult(status -> {
            execute(shortLease);
            Throwable other = CopyOnAnotherThread.run(
                    shortLease.mutate().inFlightWait(Duration.ofMillis(2500)).build(), KEY, copy);
            assertThat(other).isInstanceOf(MessageInFlightException.class);
        });

        assertThat(copy.calls()).isZero();
        assertThat(store.seen(KEY)).isTrue();
    }

    @Test
    void settlesAMessageWhoseMarkFailsAfterTheCommit() {
        store.failAt("complete");

        transaction.executeWithoutResult(status -> execute(template));

        assertThat(outcomes.outcomes()).containsExactly(Outcome.UNMARKED);
    }
}
