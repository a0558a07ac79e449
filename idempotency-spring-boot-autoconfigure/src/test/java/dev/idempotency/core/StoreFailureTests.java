package dev.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.idempotency.Execution;
import dev.idempotency.IdempotencyMode;
import dev.idempotency.MessageInFlightException;
import dev.idempotency.MessageKey;
import dev.idempotency.MessageState;
import dev.idempotency.Outcome;
import dev.idempotency.StoreFailurePolicy;
import dev.idempotency.StoreUnavailableException;
import dev.idempotency.core.FaultyStore.StoreIsOut;
import dev.idempotency.fixture.RecordingOutcomes;
import dev.idempotency.fixture.TestDelivery;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** K12: a store in doubt is never taken for a duplicate, and never fails a handler that has succeeded. */
@ExtendWith(OutputCaptureExtension.class)
class StoreFailureTests {

    private static final MessageKey KEY = MessageKey.of("orders", "A");
    private static final Duration MARK_LIMIT = Duration.ofSeconds(4);

    private final FaultyStore store = new FaultyStore();
    private final RecordingOutcomes outcomes = new RecordingOutcomes();

    private IdempotencyTemplateBuilder template(IdempotencyMode mode) {
        return IdempotencyTemplate.builder(store).mode(mode).listener(outcomes).inFlightWait(Duration.ZERO);
    }

    @ParameterizedTest
    @EnumSource(names = {"AFTER_SUCCESS", "CLAIM"})
    void defersAMessageThatTheStoreCannotDecide(IdempotencyMode mode) throws Throwable {
        store.failAt("seen", "claim");
        IdempotencyTemplate template = template(mode).build();
        Handler handler = Handler.succeeding();

        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> template.execute(KEY, handler))
                .withCauseInstanceOf(StoreIsOut.class)
                .withMessageContaining("orders");
        store.recover();
        template.execute(KEY, handler);

        assertThat(handler.calls()).isOne();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.DEFERRED, Outcome.PROCESSED);
    }

    // O11: an error of the store's library is no answer either, and no failure of the handler
    @ParameterizedTest
    @EnumSource(names = {"AFTER_SUCCESS", "CLAIM"})
    void defersAMessageAtWhichTheStoreBreaks(IdempotencyMode mode) throws Throwable {
        store.breakAt("seen").breakAt("claim");
        IdempotencyTemplate template = template(mode).build();
        Handler handler = Handler.succeeding();

        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> template.execute(KEY, handler))
                .withCauseInstanceOf(NoClassDefFoundError.class);
        store.recover();
        template.execute(KEY, handler);

        assertThat(outcomes.outcomes()).containsExactly(Outcome.DEFERRED, Outcome.PROCESSED);
    }

    // each question may take the time-out of the store, and the consumer with it
    @ParameterizedTest
    @EnumSource(names = {"AFTER_SUCCESS", "CLAIM"})
    void asksAStoreThatIsOutOnceHoweverLongACopyMayWait(IdempotencyMode mode) {
        store.failAt("seen", "claim");
        IdempotencyTemplate template =
                template(mode).inFlightWait(Duration.ofSeconds(2)).build();

        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> template.execute(KEY, Handler.succeeding()));

        assertThat(outcomes.operations())
                .filteredOn(operation -> operation.endsWith(":error"))
                .hasSize(1);
    }

    // it would be lost
    @ParameterizedTest
    @EnumSource(names = {"AFTER_SUCCESS", "CLAIM"})
    void asksAgainForAMessageThatCannotBeGivenBack(IdempotencyMode mode) throws Throwable {
        store.failAt("seen", "claim");
        IdempotencyTemplate template = template(mode).build();
        TestDelivery delivery = new TestDelivery("A", Map.of(), null)
                .withBudget(Duration.ofSeconds(20))
                .withoutReturn();

        recoverSoon();
        delivery.run(() -> template.execute(KEY, Handler.succeeding()));

        assertThat(outcomes.outcomes()).containsExactly(Outcome.PROCESSED);
        assertThat(outcomes.operations()).first().asString().endsWith(":error");
    }

    @ParameterizedTest
    @EnumSource(names = {"AFTER_SUCCESS", "CLAIM"})
    void runsUnguardedWhereThePolicySaysSoAndStillMarks(IdempotencyMode mode) throws Throwable {
        store.failAt("seen", "claim");
        IdempotencyTemplate template =
                template(mode).onStoreFailure(StoreFailurePolicy.PROCESS).build();

        Execution<String> execution = template.execute(KEY, Handler.succeeding());

        assertThat(execution).isEqualTo(new Execution<>(Outcome.UNGUARDED, "handled"));
        assertThat(outcomes.outcomes()).containsExactly(Outcome.UNGUARDED);
        store.recover();
        assertThat(store.seen(KEY)).isTrue();
    }

    @Test
    void countsAnUnguardedFailureAsUnguardedAndLeavesNoMark() {
        store.failAt("seen", "claim", "release");
        IdempotencyTemplate template = template(IdempotencyMode.CLAIM)
                .onStoreFailure(StoreFailurePolicy.PROCESS)
                .build();
        IllegalStateException failure = new IllegalStateException("x");

        assertThat(catchThrowable(() -> template.execute(KEY, Handler.failing(failure))))
                .isSameAs(failure);
        assertThat(outcomes.outcomes()).containsExactly(Outcome.UNGUARDED);
        store.recover();
        assertThat(store.seen(KEY)).isFalse();
    }

    // O70
    @ParameterizedTest
    @EnumSource(names = {"AFTER_SUCCESS", "CLAIM"})
    void settlesAMessageWhoseMarkCannotBeWritten(IdempotencyMode mode) throws Throwable {
        store.failAt("remember", "complete");
        long started = System.nanoTime();

        Execution<String> execution = template(mode).build().execute(KEY, Handler.succeeding());

        assertThat(execution).isEqualTo(new Execution<>(Outcome.UNMARKED, "handled"));
        assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(MARK_LIMIT);
        assertThat(outcomes.outcomes()).containsExactly(Outcome.UNMARKED);
    }

    @Test
    void writesAMarkThatFailsOnceAtTheSecondTry() throws Throwable {
        store.failAt("complete");
        Execution<String> execution = template(IdempotencyMode.CLAIM).build().execute(KEY, () -> {
            recoverSoon();
            return "handled";
        });

        assertThat(execution.outcome()).isEqualTo(Outcome.PROCESSED);
    }

    // O83: a blip of the store while the application stops is no reason to leave a mark unwritten
    @Test
    void writesAMarkThatFailsOnceWhileTheGuardIsBeingClosed() throws Throwable {
        store.failAt("complete");
        IdempotencyTemplate template = template(IdempotencyMode.CLAIM).build();

        Execution<String> execution = template.execute(KEY, () -> {
            template.close();
            recoverSoon();
            return "handled";
        });

        assertThat(execution.outcome()).isEqualTo(Outcome.PROCESSED);
    }

    @Test
    void warnsOfAnOutageOncePerConsumer(CapturedOutput output) {
        store.failAt("claim");
        IdempotencyTemplate template = template(IdempotencyMode.CLAIM).build();

        for (String consumer : List.of("orders", "orders", "payments", "orders")) {
            catchThrowable(() -> template.execute(MessageKey.of(consumer, "A"), Handler.succeeding()));
        }

        assertThat(output).containsOnlyOnce("did not answer for consumer orders");
        assertThat(output).containsOnlyOnce("did not answer for consumer payments");
    }

    // O70: a copy may not run while the mark can still be written
    @Test
    void keepsTheClaimOfAnUnmarkedMessageAndWritesTheMarkLater() throws Throwable {
        store.failAt("complete");
        IdempotencyTemplate template = template(IdempotencyMode.CLAIM).build();
        template.execute(KEY, Handler.succeeding());
        Handler copy = Handler.succeeding();

        assertThatExceptionOfType(MessageInFlightException.class).isThrownBy(() -> template.execute(KEY, copy));
        store.recover();

        await().untilAsserted(() -> assertThat(store.seen(KEY)).isTrue());
        assertThat(template.execute(KEY, copy).outcome()).isEqualTo(Outcome.DUPLICATE);
        assertThat(copy.calls()).isZero();
    }

    // else each message of an outage would wait for the lease of a claim that nobody works under
    @Test
    void releasesAClaimWhoseAnswerWasLost() throws Throwable {
        store.loseAnswersOfClaims();
        store.failAt("release");
        IdempotencyTemplate template = template(IdempotencyMode.CLAIM).build();
        Handler handler = Handler.succeeding();
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> template.execute(KEY, handler));

        assertThat(store.state(KEY).status()).isEqualTo(MessageState.Status.IN_FLIGHT);

        store.recover();

        awaitRun(template, handler);
        assertThat(handler.calls()).isOne();
    }

    @Test
    void releasesTheClaimOfAFailureOnceTheStoreAnswers() {
        store.failAt("release");
        IdempotencyTemplate template = template(IdempotencyMode.CLAIM).build();
        IllegalStateException failure = new IllegalStateException("x");
        assertThat(catchThrowable(() -> template.execute(KEY, Handler.failing(failure))))
                .isSameAs(failure);

        store.recover();

        awaitRun(template, Handler.succeeding());
    }

    // a claim of many, each of which would cost a time-out: none is forgotten, however many there are
    @Test
    void endsAllClaimsOfAnOutage() {
        store.loseAnswersOfClaims();
        IdempotencyTemplate template = template(IdempotencyMode.CLAIM).build();
        for (int i = 0; i < 1000; i++) {
            MessageKey key = MessageKey.of("orders", "" + i);
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> template.execute(key, Handler.succeeding()));
        }

        store.recover();

        await().until(() -> IntStream.range(0, 1000)
                .mapToObj(i -> store.state(MessageKey.of("orders", "" + i)))
                .allMatch(state -> state.equals(MessageState.unknown())));
    }

    private static void awaitRun(IdempotencyTemplate template, Handler handler) {
        await().ignoreException(MessageInFlightException.class)
                .until(() -> UncheckedCall.execute(template, KEY, handler).outcome() == Outcome.PROCESSED);
    }

    // K15
    @Test
    void isNotTouchedByAListenerThatFails() throws Throwable {
        IdempotencyTemplate template = IdempotencyTemplate.builder(store)
                .listener(new ThrowingListener())
                .listener(outcomes)
                .build();

        assertThat(template.execute(KEY, Handler.succeeding()).outcome()).isEqualTo(Outcome.PROCESSED);
        assertThat(template.execute(KEY, Handler.succeeding()).outcome()).isEqualTo(Outcome.DUPLICATE);
        assertThat(outcomes.outcomes()).containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE);
    }

    private void recoverSoon() {
        CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS).execute(store::recover);
    }
}
