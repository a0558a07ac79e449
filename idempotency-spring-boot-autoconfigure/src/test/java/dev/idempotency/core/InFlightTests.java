package dev.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.idempotency.Execution;
import dev.idempotency.IdempotencyMode;
import dev.idempotency.MessageInFlightException;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.fixture.RecordingOutcomes;
import dev.idempotency.fixture.TestDelivery;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** K2: a claim is never taken for done. */
@Timeout(30)
class InFlightTests {

    private static final MessageKey KEY = MessageKey.of("orders", "A");
    private static final Duration LONG = Duration.ofSeconds(20);

    private final FaultyStore store = new FaultyStore();
    private final RecordingOutcomes outcomes = new RecordingOutcomes();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    private IdempotencyTemplateBuilder template() {
        return IdempotencyTemplate.builder(store).mode(IdempotencyMode.CLAIM).listener(outcomes);
    }

    private CompletableFuture<Execution<String>> start(IdempotencyTemplate template, Handler handler) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return template.execute(KEY, handler);
                    } catch (Throwable ex) {
                        throw new CompletionException(ex);
                    }
                },
                threads);
    }

    // O27
    @Test
    void runsTheCopyWhenTheFirstFails() throws Throwable {
        IdempotencyTemplate template = template().inFlightWait(LONG).build();
        Handler first = Handler.failing(new IllegalStateException("first")).held();
        CompletableFuture<Execution<String>> running = start(template, first);
        first.awaitEntered();
        Handler copy = Handler.succeeding();
        CompletableFuture<Execution<String>> waiting = start(template, copy);

        await().until(() -> outcomes.operations().contains("claim:held"));
        assertThat(copy.calls()).isZero();
        first.letGo();

        assertThat(waiting.get().outcome()).isEqualTo(Outcome.PROCESSED);
        assertThat(catchThrowable(running::get)).hasRootCauseMessage("first");
        assertThat(outcomes.outcomes()).containsExactlyInAnyOrder(Outcome.FAILED, Outcome.PROCESSED);
    }

    // O27
    @Test
    void skipsTheCopyWhenTheFirstSucceeds() throws Throwable {
        IdempotencyTemplate template = template().inFlightWait(LONG).build();
        Handler first = Handler.succeeding().held();
        CompletableFuture<Execution<String>> running = start(template, first);
        first.awaitEntered();
        Handler copy = Handler.succeeding();
        CompletableFuture<Execution<String>> waiting = start(template, copy);

        await().until(() -> outcomes.operations().contains("claim:held"));
        first.letGo();

        assertThat(waiting.get().outcome()).isEqualTo(Outcome.DUPLICATE);
        assertThat(running.get().outcome()).isEqualTo(Outcome.PROCESSED);
        assertThat(copy.calls()).isZero();
    }

    @Test
    void isLaterWhenTheWaitIsOver() throws Throwable {
        IdempotencyTemplate template =
                template().inFlightWait(Duration.ofMillis(100)).build();
        Handler first = Handler.succeeding().held();
        CompletableFuture<Execution<String>> running = start(template, first);
        first.awaitEntered();

        assertThatExceptionOfType(MessageInFlightException.class)
                .isThrownBy(() -> template.execute(KEY, Handler.succeeding()))
                .withMessageContaining("orders");
        first.letGo();
        running.get();

        assertThat(outcomes.outcomes()).containsExactly(Outcome.IN_FLIGHT, Outcome.PROCESSED);
        assertThat(outcomes.operations()).contains("claim:held");
    }

    @Test
    void asksOnceWhereItMayNotWait() throws Throwable {
        IdempotencyTemplate template = template().inFlightWait(Duration.ZERO).build();
        store.claim(KEY, "other", LONG);

        assertThatExceptionOfType(MessageInFlightException.class)
                .isThrownBy(() -> template.execute(KEY, Handler.succeeding()));
        assertThat(outcomes.operations()).containsExactly("claim:held");
    }

    // O12
    @Test
    void stopsWaitingAndKeepsTheInterruptStatus() {
        IdempotencyTemplate template = template().inFlightWait(LONG).build();
        store.claim(KEY, "other", LONG);
        Thread waiter = Thread.currentThread();
        CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS).execute(waiter::interrupt);

        Throwable thrown = catchThrowable(() -> template.execute(KEY, Handler.succeeding()));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(thrown).isInstanceOf(MessageInFlightException.class);
    }

    // Two calls that each hold a claim and wait for the other's would wait for ever.
    @Test
    void doesNotWaitWhileItHoldsAnotherClaim() throws Throwable {
        IdempotencyTemplate template = template().inFlightWait(LONG).build();
        MessageKey inner = MessageKey.of("payments", "A");
        store.claim(inner, "other", LONG);

        assertThatExceptionOfType(MessageInFlightException.class)
                .isThrownBy(() -> template.execute(KEY, () -> template.execute(inner, Handler.succeeding())));

        assertThat(outcomes.operations()).containsExactly("claim:acquired", "claim:held", "release:done");
        assertThat(outcomes.outcomes()).containsExactly(Outcome.IN_FLIGHT, Outcome.FAILED);
    }

    @Test
    void spendsTheBudgetOfTheDelivery() {
        IdempotencyTemplate template = template().build();
        store.claim(KEY, "other", LONG);
        TestDelivery delivery = new TestDelivery("A", Map.of(), null).withBudget(Duration.ofMillis(300));

        assertThatExceptionOfType(MessageInFlightException.class)
                .isThrownBy(() -> delivery.run(() -> template.execute(KEY, Handler.succeeding())));
        assertThat(delivery.waitLeft(null)).isZero();
        assertThat(outcomes.operations().size()).isGreaterThan(2);

        int asked = outcomes.operations().size();
        assertThatExceptionOfType(MessageInFlightException.class)
                .isThrownBy(() -> delivery.run(() -> template.execute(KEY, Handler.succeeding())));
        assertThat(outcomes.operations()).hasSize(asked + 1);
    }

    // O06: else a wait of seconds became one of minutes, where the store itself waits for the other transaction
    @Test
    void countsTheTimeOfQuestionsAsWaiting() {
        IdempotencyTemplate template = template().build();
        store.claim(KEY, "other", LONG);
        store.slowDownClaims(Duration.ofMillis(200));
        TestDelivery delivery = new TestDelivery("A", Map.of(), null).withBudget(Duration.ofMillis(300));

        assertThatExceptionOfType(MessageInFlightException.class)
                .isThrownBy(() -> delivery.run(() -> template.execute(KEY, Handler.succeeding())));
        assertThat(outcomes.operations()).hasSize(2);
    }

    // O83
    @Test
    void endsEveryWaitWhenClosedAndStillMarksWhatIsInWork() throws Throwable {
        IdempotencyTemplate template = template().inFlightWait(LONG).build();
        Handler first = Handler.succeeding().held();
        CompletableFuture<Execution<String>> running = start(template, first);
        first.awaitEntered();
        CompletableFuture<Execution<String>> waiting = start(template, Handler.succeeding());
        await().until(() -> outcomes.operations().contains("claim:held"));

        template.close();

        assertThat(catchThrowable(() -> waiting.get(5, TimeUnit.SECONDS)))
                .hasCauseInstanceOf(MessageInFlightException.class);
        first.letGo();
        running.get();
        assertThat(store.seen(KEY)).isTrue();
    }

    // O28: with renewal working, B never gets the claim
    @Test
    void renewsTheLeaseWhileTheHandlerRuns() throws Throwable {
        IdempotencyTemplate template = template()
                .lease(Duration.ofSeconds(1))
                .inFlightWait(Duration.ofMillis(2500))
                .build();
        Handler first = Handler.succeeding().held();
        CompletableFuture<Execution<String>> running = start(template, first);
        first.awaitEntered();
        Handler copy = Handler.succeeding();

        assertThatExceptionOfType(MessageInFlightException.class).isThrownBy(() -> template.execute(KEY, copy));
        first.letGo();

        assertThat(running.get().outcome()).isEqualTo(Outcome.PROCESSED);
        assertThat(copy.calls()).isZero();
        assertThat(outcomes.operations()).contains("renew:done");
    }

    // O28: with renewal blocked, as by a stalled process
    @Test
    void marksTheSuccessOfALateOwnerAndCountsItOverlapped() throws Throwable {
        store.stallRenewals();
        IdempotencyTemplate template =
                template().lease(Duration.ofMillis(200)).inFlightWait(LONG).build();
        Handler late = Handler.succeeding().held();
        CompletableFuture<Execution<String>> lateRun = start(template, late);
        late.awaitEntered();
        Handler next = Handler.succeeding().held();
        CompletableFuture<Execution<String>> nextRun = start(template, next);
        next.awaitEntered();

        late.letGo();
        assertThat(lateRun.get().outcome()).isEqualTo(Outcome.OVERLAPPED);
        Handler third = Handler.succeeding();
        assertThat(template.execute(KEY, third).outcome()).isEqualTo(Outcome.DUPLICATE);
        next.letGo();

        assertThat(nextRun.get().outcome()).isEqualTo(Outcome.OVERLAPPED);
        assertThat(third.calls()).isZero();
    }

    @Test
    void stopsRenewingAtTheLimit() throws Throwable {
        IdempotencyTemplate template = template()
                .lease(Duration.ofMillis(150))
                .leaseLimit(Duration.ofMillis(300))
                .inFlightWait(LONG)
                .build();
        Handler hanging = Handler.succeeding().held();
        CompletableFuture<Execution<String>> running = start(template, hanging);
        hanging.awaitEntered();

        assertThat(template.execute(KEY, Handler.succeeding()).outcome()).isEqualTo(Outcome.PROCESSED);
        await().until(() -> outcomes.operations().contains("renew:limit"));
        hanging.letGo();
        assertThat(running.get().outcome()).isEqualTo(Outcome.OVERLAPPED);
    }

    @Test
    void tellsThatALeaseWasLost() throws Throwable {
        IdempotencyTemplate template = template().lease(Duration.ofMillis(150)).build();
        Handler first = Handler.succeeding().held();
        CompletableFuture<Execution<String>> running = start(template, first);
        first.awaitEntered();

        store.loseEverything();

        await().until(() -> outcomes.operations().contains("renew:lost"));
        first.letGo();
        assertThat(running.get().outcome()).isEqualTo(Outcome.OVERLAPPED);
    }

    // K15
    @Test
    void missesNoLeaseThatEndsByItsMark() throws Throwable {
        IdempotencyTemplate template = template().lease(Duration.ofMillis(300)).build();
        store.slowDownAfterComplete(Duration.ofMillis(500));

        assertThat(template.execute(KEY, Handler.succeeding()).outcome()).isEqualTo(Outcome.PROCESSED);

        assertThat(outcomes.operations()).contains("renew:done").doesNotContain("renew:lost");
    }

    @Test
    void renewsNothingAfterAFailure() throws Throwable {
        IdempotencyTemplate template = template().lease(Duration.ofMillis(90)).build();

        assertThat(catchThrowable(() -> template.execute(KEY, Handler.failing(new IllegalStateException("x")))))
                .hasMessage("x");

        await().pollDelay(Duration.ofMillis(400)).until(() -> true);
        assertThat(outcomes.operations()).containsExactly("claim:acquired", "release:done");
    }
}
