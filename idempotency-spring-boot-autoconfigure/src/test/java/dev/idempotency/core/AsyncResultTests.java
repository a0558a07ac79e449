package dev.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.idempotency.Claim;
import dev.idempotency.IdempotencyListener;
import dev.idempotency.IdempotencyMode;
import dev.idempotency.MessageInFlightException;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.StoreOperation;
import dev.idempotency.fixture.RecordingOutcomes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** K11: the outcome of a future is its completion (O67). */
@Timeout(30)
class AsyncResultTests {

    private static final MessageKey KEY = MessageKey.of("orders", "A");
    private static final Duration LEASE = Duration.ofSeconds(20);

    private final FaultyStore store = new FaultyStore();
    private final RecordingOutcomes outcomes = new RecordingOutcomes();
    private final CompletableFuture<String> work = new CompletableFuture<>();

    private IdempotencyTemplateBuilder template() {
        return IdempotencyTemplate.builder(store).mode(IdempotencyMode.CLAIM).listener(outcomes);
    }

    private static <T> T execute(IdempotencyTemplate template, T result) {
        return UncheckedCall.execute(template, KEY, () -> result).value();
    }

    @ParameterizedTest
    @EnumSource(names = {"AFTER_SUCCESS", "CLAIM"})
    void marksWhenTheFutureHasCompleted(IdempotencyMode mode) throws Exception {
        Future<String> handedOut = execute(template().mode(mode).build(), work);
        assertThat(store.seen(KEY)).isFalse();
        assertThat(outcomes.outcomes()).isEmpty();

        work.complete("value");

        assertThat(handedOut.get()).isEqualTo("value");
        assertThat(store.seen(KEY)).isTrue();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.PROCESSED);
    }

    @ParameterizedTest
    @EnumSource(names = {"AFTER_SUCCESS", "CLAIM"})
    void leavesNoMarkAndNoClaimWhenTheFutureFails(IdempotencyMode mode) {
        CompletableFuture<String> handedOut = execute(template().mode(mode).build(), work);
        IllegalStateException failure = new IllegalStateException("late");

        work.completeExceptionally(failure);

        assertThatThrownBy(handedOut::get).hasCause(failure);
        assertThat(store.claim(KEY, "next", LEASE)).isEqualTo(Claim.ACQUIRED);
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED);
    }

    @Test
    void leavesNoMarkWhenTheWorkIsCancelled() {
        CompletableFuture<String> handedOut = execute(template().build(), work);

        work.cancel(true);

        assertThatThrownBy(handedOut::join).isInstanceOf(CancellationException.class);
        assertThat(store.claim(KEY, "next", LEASE)).isEqualTo(Claim.ACQUIRED);
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED);
    }

    @Test
    void passesCancellationOn() {
        CompletableFuture<String> handedOut = execute(template().build(), work);

        assertThat(handedOut.cancel(true)).isTrue();

        assertThat(work).isCancelled();
        await().until(() -> outcomes.outcomes().equals(List.of(Outcome.FAILED)));
        assertThat(store.claim(KEY, "next", LEASE)).isEqualTo(Claim.ACQUIRED);
    }

    // What the caller makes of the future that it was handed is no end of the work.
    @Test
    void judgesTheWorkAndNotWhatTheCallerMakesOfIt() {
        CompletableFuture<String> handedOut = execute(template().build(), work);
        handedOut.completeExceptionally(new IllegalStateException("no patience"));
        assertThat(outcomes.outcomes()).isEmpty();

        work.complete("value");

        await().until(() -> store.seen(KEY));
        await().until(() -> outcomes.outcomes().equals(List.of(Outcome.PROCESSED)));
    }

    @Test
    void handsTheValueOutAfterTheMark() throws Exception {
        store.slowDownAfterComplete(Duration.ofMillis(300));
        CompletableFuture<String> handedOut = execute(template().build(), work);
        CompletableFuture<List<Outcome>> seen = handedOut.thenApply(value -> outcomes.outcomes());

        work.complete("value");

        assertThat(seen.get()).containsExactly(Outcome.PROCESSED);
    }

    // K12: they may be those that the store's client needs for its answer
    @Test
    void keepsTheStoreAwayFromTheThreadsThatComplete() throws Exception {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        IdempotencyTemplate template = template()
                .listener(new IdempotencyListener() {
                    @Override
                    public void onStoreOperation(StoreOperation operation) {
                        if (operation.operation().equals("complete")) {
                            threads.add(Thread.currentThread());
                        }
                    }
                })
                .build();
        CompletableFuture<String> handedOut = execute(template, work);

        Thread completing = new Thread(() -> work.complete("value"));
        completing.start();

        assertThat(handedOut.get()).isEqualTo("value");
        assertThat(threads).hasSize(1).doesNotContain(completing);
    }

    @Test
    void holdsTheClaimUntilTheEnd() throws Throwable {
        IdempotencyTemplate template =
                template().lease(Duration.ofMillis(200)).asynchronous().build();
        Future<String> handedOut = execute(template, work);
        await().until(() ->
                outcomes.operations().stream().filter("renew:done"::equals).count() >= 5);

        assertThatExceptionOfType(MessageInFlightException.class).isThrownBy(() -> execute(template, work));

        work.complete("value");
        handedOut.get();
        assertThat(template.execute(KEY, () -> work).outcome()).isEqualTo(Outcome.DUPLICATE);
        assertThat(outcomes.outcomes()).containsExactly(Outcome.IN_FLIGHT, Outcome.PROCESSED, Outcome.DUPLICATE);
    }

    // DESIGN: asynchronous work does not wait, whatever is configured
    @Test
    void doesNotWaitForACopyInFlight() {
        store.claim(KEY, "another", LEASE);
        IdempotencyTemplate template =
                template().inFlightWait(Duration.ofMinutes(5)).asynchronous().build();

        assertThatExceptionOfType(MessageInFlightException.class).isThrownBy(() -> execute(template, work));
    }

    @Test
    void letsACopyRunAfterTheLeaseLimitOfWorkThatNeverEnds() throws Exception {
        IdempotencyTemplate template = template()
                .lease(Duration.ofMillis(200))
                .leaseLimit(Duration.ofMillis(400))
                .build();
        Future<String> first = execute(template, work);

        await().until(() -> outcomes.operations().contains("renew:limit"));
        await().until(() -> store.claim(KEY, "probe", Duration.ofMillis(1)) == Claim.ACQUIRED);
        store.release(KEY, "probe");
        CompletableFuture<String> copy = CompletableFuture.completedFuture("copy");
        assertThat(execute(template, copy).get()).isEqualTo("copy");

        // and if it ends after all, both have had their effect
        work.complete("value");
        first.get();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.PROCESSED, Outcome.OVERLAPPED);
    }

    @Test
    void judgesAtOnceWhatIsDoneAtItsReturn() {
        IdempotencyTemplate template = template().build();

        CompletableFuture<String> failed =
                execute(template, CompletableFuture.failedFuture(new IllegalStateException("at once")));
        assertThat(failed).isCompletedExceptionally();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED);

        assertThat(execute(template, CompletableFuture.completedFuture("value")))
                .isCompletedWithValue("value");
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED, Outcome.PROCESSED);
    }

    @Test
    void judgesStageThatIsNoFuture() throws Exception {
        CompletionStage<String> handedOut = execute(template().build(), work.minimalCompletionStage());
        assertThat(outcomes.outcomes()).isEmpty();

        work.complete("value");

        assertThat(handedOut.toCompletableFuture().get()).isEqualTo("value");
        assertThat(outcomes.outcomes()).containsExactly(Outcome.PROCESSED);
    }

    // one that calls nobody back, as an executor returns it
    @Test
    void judgesPlainFutures() throws Exception {
        IdempotencyTemplate template = template().build();
        IllegalStateException failure = new IllegalStateException("late");
        FutureTask<String> failing = new FutureTask<>(() -> {
            throw failure;
        });
        FutureTask<String> succeeding = new FutureTask<>(() -> "value");

        Future<String> first = execute(template, failing);
        failing.run();
        assertThatThrownBy(first::get).isInstanceOf(ExecutionException.class).hasCause(failure);

        Future<String> second = execute(template, succeeding);
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED);
        succeeding.run();
        assertThat(second.get()).isEqualTo("value");
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED, Outcome.PROCESSED);
    }

    @Test
    void passesCancellationOfPlainFutureOn() {
        FutureTask<String> task = new FutureTask<>(() -> "never");
        Future<String> handedOut = execute(template().build(), task);

        handedOut.cancel(true);

        assertThat(task.isCancelled()).isTrue();
        await().until(() -> outcomes.outcomes().equals(List.of(Outcome.FAILED)));
    }

    // K14: what hangs on one completion may wait for another
    @Test
    void completesHoweverManyDependentsWaitForFurtherCompletions() throws Exception {
        IdempotencyTemplate template = template().build();
        List<CompletableFuture<String>> works = new ArrayList<>();
        List<CompletableFuture<String>> handedOut = new ArrayList<>();
        for (int call = 0; call < 200; call++) {
            CompletableFuture<String> each = new CompletableFuture<>();
            works.add(each);
            handedOut.add(UncheckedCall.execute(template, MessageKey.of("orders", "id-" + call), () -> each)
                    .value());
        }
        CompletableFuture<?>[] dependents = new CompletableFuture<?>[100];
        for (int call = 0; call < dependents.length; call++) {
            CompletableFuture<String> other = handedOut.get(call + dependents.length);
            dependents[call] = handedOut.get(call).thenApply(value -> other.join());
        }

        works.forEach(each -> each.complete("value"));

        CompletableFuture.allOf(dependents).get(20, TimeUnit.SECONDS);
    }

    // K12: a redelivery could only repeat the effect
    @Test
    void endsAsASuccessWhenTheMarkCannotBeWritten() throws Exception {
        Future<String> handedOut = execute(template().build(), work);
        store.failAt("complete");

        work.complete("value");

        assertThat(handedOut.get(10, TimeUnit.SECONDS)).isEqualTo("value");
        assertThat(outcomes.outcomes()).containsExactly(Outcome.UNMARKED);
    }

    // O13
    @Test
    void passesTheFailureOnWhenTheClaimCannotBeReleased() {
        CompletableFuture<String> handedOut = execute(template().build(), work);
        IllegalStateException failure = new IllegalStateException("late");
        store.failAt("release");

        work.completeExceptionally(failure);

        assertThatThrownBy(handedOut::get).hasCause(failure);
        assertThat(failure.getSuppressed()).hasOnlyElementsOfType(FaultyStore.StoreIsOut.class);
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED);
    }

    @Test
    void givesTheClaimUpWhenAResultCannotBeObserved() {
        IllegalStateException failure = new IllegalStateException("adapter");
        IdempotencyTemplate template = template()
                .asyncResults((result, unused) -> {
                    throw failure;
                })
                .build();

        assertThatThrownBy(() -> execute(template, "value")).isSameAs(failure);

        assertThat(store.claim(KEY, "next", LEASE)).isEqualTo(Claim.ACQUIRED);
        assertThat(outcomes.outcomes()).containsExactly(Outcome.FAILED);
    }

    @Test
    void judgesWrappedFunctionAtItsCompletion() {
        IdempotencyTemplate template = template().build();

        CompletableFuture<String> handedOut = template.<String, CompletableFuture<String>>wrap("orders", id -> work)
                .apply("A");
        assertThat(outcomes.outcomes()).isEmpty();
        work.complete("value");

        assertThat(handedOut.join()).isEqualTo("value");
        assertThat(outcomes.outcomes()).containsExactly(Outcome.PROCESSED);
    }
}
