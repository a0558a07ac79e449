package dev.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.idempotency.Execution;
import dev.idempotency.IdempotencyMode;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.core.FaultyStore.StoreIsOut;
import dev.idempotency.fixture.RecordingOutcomes;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** K1: only a success is marked, and the handler's failure always wins. */
class MarkAfterSuccessTests {

    private static final MessageKey KEY = MessageKey.of("orders", "A");

    private final FaultyStore store = new FaultyStore();
    private final RecordingOutcomes outcomes = new RecordingOutcomes();

    private IdempotencyTemplate template(IdempotencyMode mode) {
        return IdempotencyTemplate.builder(store).mode(mode).listener(outcomes).build();
    }

    @ParameterizedTest
    @EnumSource(names = {"AUTO", "AFTER_SUCCESS", "CLAIM"})
    void handlesMessageOnce(IdempotencyMode mode) throws Throwable {
        Handler handler = Handler.succeeding();

        Execution<String> first = template(mode).execute(KEY, handler);
        Execution<String> second = template(mode).execute(KEY, handler);

        assertThat(first).isEqualTo(new Execution<>(Outcome.PROCESSED, "handled"));
        assertThat(second).isEqualTo(new Execution<>(Outcome.DUPLICATE, null));
        assertThat(handler.calls()).isOne();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE);
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                        new IllegalStateException("x"),
                        new IOException("x"),
                        new StackOverflowError(),
                        new AssertionError("x"),
                        new NoClassDefFoundError("x"),
                        new InterruptedException("x"))
                .flatMap(failure -> Stream.of(IdempotencyMode.AFTER_SUCCESS, IdempotencyMode.CLAIM)
                        .map(mode -> Arguments.of(mode, failure)));
    }

    // O01, O11, O12
    @ParameterizedTest
    @MethodSource("failures")
    void leavesNoMarkAndPassesTheSameThrowable(IdempotencyMode mode, Throwable failure) throws Throwable {
        IdempotencyTemplate template = template(mode);

        assertThat(catchThrowable(() -> template.execute(KEY, Handler.failing(failure))))
                .isSameAs(failure);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(store.seen(KEY)).isFalse();

        assertThat(template.execute(KEY, Handler.succeeding()).outcome()).isEqualTo(Outcome.PROCESSED);
        assertThat(template.execute(KEY, Handler.succeeding()).outcome()).isEqualTo(Outcome.DUPLICATE);
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED, Outcome.PROCESSED, Outcome.DUPLICATE);
    }

    // O13
    @Test
    void attachesTheFailureOfTheReleaseToThatOfTheHandler() {
        store.failAt("release");
        IllegalStateException failure = new IllegalStateException("handler");

        assertThat(catchThrowable(() -> template(IdempotencyMode.CLAIM).execute(KEY, Handler.failing(failure))))
                .isSameAs(failure)
                .satisfies(thrown ->
                        assertThat(thrown.getSuppressed()).singleElement().isInstanceOf(StoreIsOut.class));
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED);
        assertThat(outcomes.operations()).contains("release:error");
    }

    // O13
    @Test
    void passesTheFailureOfAHandlerThatTheReleaseRepeats() {
        IllegalStateException failure = new IllegalStateException("both");
        store.throwAtRelease(failure);

        assertThat(catchThrowable(() -> template(IdempotencyMode.CLAIM).execute(KEY, Handler.failing(failure))))
                .isSameAs(failure)
                .hasNoSuppressedExceptions();
    }

    @Test
    void guardsANestedCallForTheSameMessageInAnotherStoreByItself() throws Throwable {
        FaultyStore other = new FaultyStore();
        IdempotencyTemplate template = template(IdempotencyMode.CLAIM);

        template.execute(
                KEY, () -> template.mutate().store(other, "other").build().execute(KEY, Handler.succeeding()));

        assertThat(store.seen(KEY)).isTrue();
        assertThat(other.seen(KEY)).isTrue();
    }

    // O12
    @ParameterizedTest
    @EnumSource(names = {"AFTER_SUCCESS", "CLAIM"})
    void keepsAnInterruptOfTheHandlerAwayFromTheStoreAndRestoresIt(IdempotencyMode mode) throws Throwable {
        Execution<String> execution = template(mode).execute(KEY, () -> {
            Thread.currentThread().interrupt();
            return "handled";
        });

        assertThat(Thread.interrupted()).isTrue();
        assertThat(execution.outcome()).isEqualTo(Outcome.PROCESSED);
        assertThat(store.seen(KEY)).isTrue();
    }

    // O12
    @Test
    void releasesTheClaimOfAHandlerThatWasInterruptedAndFailed() throws Throwable {
        IllegalStateException failure = new IllegalStateException("interrupted");

        assertThat(catchThrowable(() -> template(IdempotencyMode.CLAIM).execute(KEY, () -> {
                    Thread.currentThread().interrupt();
                    throw failure;
                })))
                .isSameAs(failure)
                .hasNoSuppressedExceptions();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(template(IdempotencyMode.CLAIM)
                        .execute(KEY, Handler.succeeding())
                        .outcome())
                .isEqualTo(Outcome.PROCESSED);
    }

    @Test
    void takesANestedCallForTheSameMessageForAPartOfTheOuterOne() throws Throwable {
        IdempotencyTemplate template = template(IdempotencyMode.CLAIM);
        Handler inner = Handler.succeeding();

        template.execute(
                KEY, () -> template.mutate().build().execute(KEY, inner).value());

        assertThat(inner.calls()).isOne();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.PROCESSED);
    }

    @Test
    void guardsANestedCallForAnotherMessageByItself() throws Throwable {
        IdempotencyTemplate template = template(IdempotencyMode.CLAIM);
        MessageKey other = MessageKey.of("payments", "A");

        template.execute(KEY, () -> template.execute(other, Handler.succeeding()));

        assertThat(store.seen(other)).isTrue();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.PROCESSED, Outcome.PROCESSED);
    }

    @Test
    void countsASuccessThatAnotherHasMarkedMeanwhileAsOverlapped() throws Throwable {
        IdempotencyTemplate template = template(IdempotencyMode.AFTER_SUCCESS);

        Execution<String> execution = template.execute(KEY, () -> {
            store.remember(KEY);
            return "handled";
        });

        assertThat(execution.outcome()).isEqualTo(Outcome.OVERLAPPED);
        assertThat(outcomes.outcomes()).containsExactly(Outcome.OVERLAPPED);
    }
}
