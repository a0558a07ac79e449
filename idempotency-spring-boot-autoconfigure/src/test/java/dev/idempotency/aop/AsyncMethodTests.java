package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.faultsOf;
import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.Claim;
import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.IdempotencyMode;
import dev.idempotency.IdempotencyStore;
import dev.idempotency.Idempotent;
import dev.idempotency.ListenerMethodCheck;
import dev.idempotency.MessageInFlightException;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.fixture.Database;
import dev.idempotency.fixture.H2Store;
import dev.idempotency.fixture.RecordingOutcomes;
import dev.idempotency.fixture.TestDelivery;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.ReflectionUtils;

/** K10 and K11: methods that return before their work is done (O66, O67). */
@Timeout(30)
class AsyncMethodTests {

    private final ApplicationContextRunner application = application().withBean(Handler.class);

    @Test
    void marksAtTheCompletionAndReturnsACompletedFutureForASkip() {
        application.run(context -> {
            Handler handler = context.getBean(Handler.class);
            CompletableFuture<String> work = new CompletableFuture<>();
            handler.does(() -> work);
            CompletableFuture<String> first = handler.on(message("1"));
            assertThat(seen(context, "Handler.on")).isFalse();

            work.complete("value");

            assertThat(first.get()).isEqualTo("value");
            assertThat(seen(context, "Handler.on")).isTrue();
            assertThat(handler.on(message("1"))).isCompletedWithValue(null);
            assertThat(handler.stage(message("1")).toCompletableFuture().get()).isEqualTo("value");
            assertThat(handler.stage(message("1")).toCompletableFuture()).isCompletedWithValue(null);
            assertThat(handler.future(message("1")).get()).isEqualTo("value");
            assertThat(handler.future(message("1")).get()).isNull();
        });
    }

    // not null, which is never acknowledged by a container that waits for a future
    @Test
    void settlesSkipAndDefersCopyOfABoundDelivery() {
        application.run(context -> {
            Handler handler = context.getBean(Handler.class);
            CompletableFuture<String> work = new CompletableFuture<>();
            handler.does(() -> work);
            delivery("1").deliver(() -> handler.on(message("ignored")));

            TestDelivery copy = delivery("1");
            CompletableFuture<String> later = copy.deliver(() -> handler.on(message("ignored")));
            assertThat(later).isCompletedWithValue(null);
            assertThat(copy.deferral()).isInstanceOf(MessageInFlightException.class);

            work.complete("value");
            TestDelivery duplicate = delivery("1");
            await(() -> seen(context, "Handler.on"));
            CompletableFuture<String> skipped = duplicate.deliver(() -> handler.on(message("ignored")));
            assertThat(skipped).isCompletedWithValue(null);
            assertThat(duplicate.isSettled()).isTrue();
        });
    }

    private static void await(Supplier<Boolean> condition) {
        org.awaitility.Awaitility.await().until(condition::get);
    }

    @Test
    void isClaimedAlthoughItDeclaresATransactionOnTheStore() {
        application()
                .withUserConfiguration(Database.class)
                .withBean(H2Store.class)
                .withBean(TransactionalHandler.class)
                .run(context -> {
                    CompletableFuture<String> work = new CompletableFuture<>();
                    TransactionalHandler handler = context.getBean(TransactionalHandler.class);
                    handler.does(() -> work);
                    CompletableFuture<String> handedOut = handler.on(message("1"));
                    H2Store store = context.getBean(H2Store.class);
                    assertThat(store.begun()).isEmpty();
                    assertThat(store.marks()).isZero();

                    work.complete("value");

                    assertThat(handedOut.get()).isEqualTo("value");
                    assertThat(store.marks()).isOne();
                });
    }

    @Test
    void refusesModeTransactionalThatIsConfiguredForAll() {
        application()
                .withUserConfiguration(Database.class)
                .withBean(H2Store.class)
                .withPropertyValues("idempotency.mode=transactional")
                .withBean(Handler.class)
                .run(context -> assertThat(faultsOf(context))
                        .hasSize(3)
                        .allSatisfy(fault -> assertThat(fault)
                                .startsWith(Handler.class.getName() + "#")
                                .contains("Mode TRANSACTIONAL cannot be had of asynchronous work")));
    }

    // Spring puts @Async outside of all other advice: the guard stands on the thread that does the work
    @Test
    void guardsAsyncMethodOnItsOwnThread() {
        application
                .withUserConfiguration(Asynchronous.class)
                .withBean(AsyncHandler.class)
                .run(context -> {
                    AsyncHandler handler = context.getBean(AsyncHandler.class);
                    for (Supplier<Future<String>> call : List.<Supplier<Future<String>>>of(
                            () -> handler.on(message("1")), () -> handler.future(message("1")))) {
                        assertThat(call.get().get())
                                .isNotEqualTo(Thread.currentThread().getName());
                        assertThat(call.get().get()).isNull();
                    }
                    assertThat(context.getBean(RecordingOutcomes.class).outcomesOf("AsyncHandler.on"))
                            .containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE);
                });
    }

    @Test
    void failsTheFutureOfAnAsyncMethodThatMustBeCalledAgainLater() {
        application
                .withUserConfiguration(Asynchronous.class)
                .withBean(AsyncHandler.class)
                .run(context -> {
                    context.getBean(ClaimingIdempotencyStore.class)
                            .claim(MessageKey.of("AsyncHandler.on", "1"), "another", Duration.ofMinutes(1));
                    AsyncHandler handler = context.getBean(AsyncHandler.class);
                    assertThatThrownBy(() -> handler.on(message("1")).get())
                            .hasCauseInstanceOf(MessageInFlightException.class);
                });
    }

    @Test
    void leavesNoMarkWhenAnAsyncMethodFails() {
        application
                .withUserConfiguration(Asynchronous.class)
                .withBean(AsyncHandler.class)
                .run(context -> {
                    AsyncHandler handler = context.getBean(AsyncHandler.class);
                    assertThatThrownBy(() -> handler.failing(message("1")).get())
                            .hasRootCauseMessage("async");
                    ClaimingIdempotencyStore store = context.getBean(ClaimingIdempotencyStore.class);
                    assertThat(store.claim(MessageKey.of("AsyncHandler.failing", "1"), "next", Duration.ofMinutes(1)))
                            .isEqualTo(Claim.ACQUIRED);
                });
    }

    // K9: an annotation of the application's own can make a method asynchronous, too
    @Test
    void refusesMethodThatTheAdviceRoundItMakesAsynchronous() {
        application()
                .withUserConfiguration(OddlyAsynchronous.class)
                .withBean(OddHandler.class)
                .run(context -> assertThat(faultsOf(context))
                        .singleElement()
                        .asString()
                        .startsWith(OddHandler.class.getName() + "#on: An @Async method that returns void"));
    }

    @Test
    void refusesWhatAContainerCannotCall() {
        application
                .withBean(
                        ListenerMethodCheck.class,
                        () -> (method, asynchronous) ->
                                asynchronous && method.getName().equals("on") ? "Not here. Do it elsewhere." : null)
                .run(context -> assertThat(faultsOf(context))
                        .containsExactly(Handler.class.getName() + "#on: Not here. Do it elsewhere."));
    }

    private static boolean seen(AssertableApplicationContext context, String consumer) {
        return context.getBean(IdempotencyStore.class).seen(MessageKey.of(consumer, "1"));
    }

    private static TestDelivery delivery(String id) {
        return new TestDelivery(message(id), Map.of(), ReflectionUtils.findMethod(Handler.class, "on", Map.class));
    }

    static class Handler {

        private Supplier<CompletableFuture<String>> work = CompletableFuture::new;

        void does(Supplier<CompletableFuture<String>> supplier) {
            this.work = supplier;
        }

        @Idempotent
        public CompletableFuture<String> on(Map<String, Object> message) {
            return work.get();
        }

        @Idempotent
        public CompletionStage<String> stage(Map<String, Object> message) {
            return work.get();
        }

        @Idempotent
        public Future<String> future(Map<String, Object> message) {
            return work.get();
        }
    }

    static class TransactionalHandler {

        private Supplier<CompletableFuture<String>> work = CompletableFuture::new;

        void does(Supplier<CompletableFuture<String>> supplier) {
            this.work = supplier;
        }

        @Idempotent
        @Transactional
        public CompletableFuture<String> on(Map<String, Object> message) {
            return work.get();
        }
    }

    @EnableAsync
    static class Asynchronous {}

    static class AsyncHandler {

        @Async
        @Idempotent
        public CompletableFuture<String> on(Map<String, Object> message) {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }

        @Async
        @Idempotent
        public Future<String> future(Map<String, Object> message) {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }

        @Async
        @Idempotent
        public CompletableFuture<String> failing(Map<String, Object> message) {
            throw new IllegalStateException("async");
        }
    }

    @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
    @interface Elsewhere {}

    @EnableAsync(annotation = Elsewhere.class)
    static class OddlyAsynchronous {}

    static class OddHandler {

        private final CountDownLatch called = new CountDownLatch(1);

        @Elsewhere
        @Idempotent(mode = IdempotencyMode.CLAIM)
        public void on(Map<String, Object> message) {
            called.countDown();
        }
    }
}
