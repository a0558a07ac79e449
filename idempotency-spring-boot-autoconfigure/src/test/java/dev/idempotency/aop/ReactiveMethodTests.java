package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.idempotency.Claim;
import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.Execution;
import dev.idempotency.Idempotent;
import dev.idempotency.MessageInFlightException;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.core.AsyncWork;
import dev.idempotency.core.IdempotencyTemplate;
import dev.idempotency.fixture.RecordingOutcomes;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Observable;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.FlowAdapters;
import org.reactivestreams.Publisher;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/** K11: the outcome of a reactive result is that of its subscription (O26 in kind, O67). */
@Timeout(30)
class ReactiveMethodTests {

    private static final Duration LEASE = Duration.ofMinutes(1);

    private final ApplicationContextRunner application = application()
            .withUserConfiguration(Retrying.class)
            .withBean(Handler.class)
            .withBean(RxHandler.class);

    @Test
    void runsAtTheSubscriptionAndMarksAtItsCompletion() {
        application.run(context -> {
            Handler handler = context.getBean(Handler.class);
            Sinks.One<String> work = Sinks.one();
            handler.does(work.asMono());

            Mono<String> result = handler.mono(message("1"));
            assertThat(claim(context, "Handler.mono")).isEqualTo(Claim.HELD);
            assertThat(outcomes(context)).isEmpty();
            var received = result.toFuture();
            assertThat(handler.effects()).isEqualTo(1);
            assertThat(seen(context, "Handler.mono")).isFalse();

            work.tryEmitValue("value");

            assertThat(received.get()).isEqualTo("value");
            assertThat(seen(context, "Handler.mono")).isTrue();
            assertThat(outcomes(context)).containsExactly(Outcome.PROCESSED);
            assertThat(handler.mono(message("1")).block()).isNull();
            assertThat(handler.effects()).isEqualTo(1);
        });
    }

    @Test
    void takesEmptyCompletionForASuccess() {
        application.run(context -> {
            context.getBean(Handler.class).does(Mono.empty());
            context.getBean(Handler.class).mono(message("1")).block();
            assertThat(seen(context, "Handler.mono")).isTrue();
            assertThat(outcomes(context)).containsExactly(Outcome.PROCESSED);
        });
    }

    @Test
    void leavesNoMarkAndNoClaimWhenTheSubscriptionFails() {
        application.run(context -> {
            IllegalStateException failure = new IllegalStateException("late");
            context.getBean(Handler.class).does(Mono.error(failure));
            assertThatThrownBy(() ->
                            context.getBean(Handler.class).mono(message("1")).block())
                    .isSameAs(failure);
            assertThat(claim(context, "Handler.mono")).isEqualTo(Claim.ACQUIRED);
            assertThat(outcomes(context)).containsExactly(Outcome.FAILED);
        });
    }

    @Test
    void leavesNoMarkWhenTheSubscriptionIsCancelled() {
        application.run(context -> {
            context.getBean(Handler.class).does(Mono.never());
            Disposable subscription =
                    context.getBean(Handler.class).mono(message("1")).subscribe();
            subscription.dispose();
            await().until(() -> outcomes(context).equals(List.of(Outcome.FAILED)));
            assertThat(claim(context, "Handler.mono")).isEqualTo(Claim.ACQUIRED);
        });
    }

    // The work is done by then: the effect has happened.
    @Test
    void finishesTheMarkWhenTheSubscriptionIsCancelledMeanwhile() throws Exception {
        CountDownLatch marking = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        CompletableFuture<Boolean> uninterrupted = new CompletableFuture<>();
        AsyncWork.Run run = new AsyncWork.Run() {
            @Override
            public void succeeded() {
                marking.countDown();
                try {
                    uninterrupted.complete(cancelled.await(10, TimeUnit.SECONDS));
                } catch (InterruptedException ex) {
                    uninterrupted.complete(false);
                }
            }

            @Override
            public void failed(Throwable failure) {
                uninterrupted.completeExceptionally(failure);
            }
        };
        AsyncWork asyncWork = new AsyncWork() {
            @Override
            public Run begin() {
                return run;
            }

            @Override
            public Executor executor() {
                return task -> new Thread(task).start();
            }
        };
        Mono<?> result = (Mono<?>) new ReactiveResults().observe(Mono.just("value"), asyncWork);
        Disposable subscription = result.subscribe();
        marking.await();
        subscription.dispose();
        cancelled.countDown();
        assertThat(uninterrupted.get()).isTrue();
    }

    // a retry after a time-out meets no claim of its own earlier attempt, which was cancelled
    @Test
    void runsAgainWhenAnAttemptHasTakenTooLong() {
        application.run(context -> {
            Handler handler = context.getBean(Handler.class);
            AtomicInteger attempts = new AtomicInteger();
            handler.does(Mono.defer(() -> attempts.incrementAndGet() < 5 ? Mono.never() : Mono.just("value")));

            String value = handler.mono(message("1"))
                    .timeout(Duration.ofMillis(100))
                    .retryWhen(Retry.max(50).filter(TimeoutException.class::isInstance))
                    .block();

            assertThat(value).isEqualTo("value");
            assertThat(seen(context, "Handler.mono")).isTrue();
        });
    }

    // ends are told on threads of their own: those of Reactor may all be waiting for them
    @Test
    @Timeout(20)
    void completesHoweverManyCallersBlockThreadsOfReactor() {
        application.run(context -> {
            Handler handler = context.getBean(Handler.class);
            handler.does(Mono.delay(Duration.ofMillis(200)).thenReturn("value"));
            List<String> values = Flux.range(0, 4 * Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE)
                    .flatMap(
                            id -> Mono.fromCallable(
                                            () -> handler.mono(message("" + id)).block())
                                    .subscribeOn(Schedulers.boundedElastic()),
                            Integer.MAX_VALUE)
                    .collectList()
                    .block();
            assertThat(values)
                    .hasSize(4 * Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE)
                    .containsOnly("value");
        });
    }

    // what has published only a part of its values has not done its work
    @Test
    void leavesNoMarkWhenAStreamIsCutOff() {
        application.run(context -> {
            Handler handler = context.getBean(Handler.class);
            handler.does(Flux.range(0, 5).map(String::valueOf));
            assertThat(handler.flux(message("1")).take(2).collectList().block()).containsExactly("0", "1");
            await().until(() -> outcomes(context).equals(List.of(Outcome.FAILED)));
            assertThat(handler.flux(message("1")).collectList().block()).hasSize(5);
            assertThat(seen(context, "Handler.flux")).isTrue();
        });
    }

    @Test
    void releasesClaimOfWhatIsNeverSubscribedToAtTheLeaseLimit() {
        application
                .withPropertyValues("idempotency.lease=200ms", "idempotency.lease-limit=400ms")
                .run(context -> {
                    context.getBean(Handler.class).mono(message("1"));
                    await().until(() -> claim(context, "Handler.mono") == Claim.ACQUIRED);
                    assertThat(context.getBean(Handler.class).effects()).isZero();
                    assertThat(outcomes(context)).isEmpty();
                });
    }

    @Test
    void endsEmptyWhenSubscribedToAgainAfterASuccess() {
        application.run(context -> {
            Handler handler = context.getBean(Handler.class);
            handler.does(Mono.just("value"));
            Mono<String> result = handler.mono(message("1"));
            assertThat(result.block()).isEqualTo("value");
            assertThat(result.block()).isNull();
            assertThat(handler.effects()).isEqualTo(1);
            assertThat(outcomes(context)).containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE);
        });
    }

    // K2
    @Test
    void isLaterWhenSubscribedToAgainWhileInFlight() {
        application.withPropertyValues("idempotency.in-flight-wait=5m").run(context -> {
            Handler handler = context.getBean(Handler.class);
            handler.does(Mono.never());
            Mono<String> result = handler.mono(message("1"));
            Disposable first = result.subscribe();
            assertThatExceptionOfType(MessageInFlightException.class).isThrownBy(result::block);
            assertThat(handler.effects()).isEqualTo(1);
            assertThat(outcomes(context)).containsExactly(Outcome.IN_FLIGHT);
            first.dispose();
        });
    }

    // O07: each attempt is a call, under a claim of its own
    @Test
    void runsAgainUnderFreshClaimWhenRetried() {
        application.run(context -> {
            Handler handler = context.getBean(Handler.class);
            AtomicInteger attempts = new AtomicInteger();
            handler.does(Mono.fromCallable(() -> {
                if (attempts.incrementAndGet() < 3) {
                    throw new IllegalStateException("attempt " + attempts);
                }
                assertThat(claim(context, "Handler.retried")).isEqualTo(Claim.HELD);
                return "value";
            }));
            assertThat(handler.retried(message("1")).block()).isEqualTo("value");
            assertThat(outcomes(context)).containsExactly(Outcome.FAILED, Outcome.FAILED, Outcome.PROCESSED);
            assertThat(seen(context, "Handler.retried")).isTrue();
        });
    }

    static Stream<Arguments> guardsEveryKind() {
        return Stream.of(
                kind("Handler.mono", Handler.class, (h, m) -> h.mono(m)),
                kind("Handler.flux", Handler.class, (h, m) -> h.flux(m)),
                kind("Handler.publisher", Handler.class, (h, m) -> h.publisher(m)),
                kind("Handler.flow", Handler.class, (h, m) -> JdkFlowAdapter.flowPublisherToFlux(h.flow(m))),
                kind("Handler.undeclared", Handler.class, (h, m) -> orEmpty(h.undeclared(m))),
                kind("RxHandler.flowable", RxHandler.class, (h, m) -> h.flowable(m)),
                kind(
                        "RxHandler.observable",
                        RxHandler.class,
                        (h, m) -> h.observable(m).toFlowable(io.reactivex.rxjava3.core.BackpressureStrategy.BUFFER)),
                kind("RxHandler.maybe", RxHandler.class, (h, m) -> h.maybe(m).toFlowable()),
                // whose empty value, as Spring knows it, never completes
                kind(
                        "RxHandler.uni",
                        RxHandler.class,
                        (h, m) -> FlowAdapters.toPublisher(h.uni(m).convert().toPublisher())),
                kind("RxHandler.multi", RxHandler.class, (h, m) -> FlowAdapters.toPublisher(h.multi(m))),
                kind(
                        "RxHandler.completable",
                        RxHandler.class,
                        (h, m) -> h.completable(m).toFlowable()));
    }

    @ParameterizedTest
    @MethodSource
    void guardsEveryKind(
            String consumer, Function<AssertableApplicationContext, Function<String, Publisher<?>>> handler) {
        application.run(context -> {
            AtomicInteger effects = new AtomicInteger();
            context.getBean(Handler.class).does(Mono.fromRunnable(effects::incrementAndGet));
            context.getBean(RxHandler.class).does(effects::incrementAndGet);
            Function<String, Publisher<?>> on = handler.apply(context);

            Publisher<?> result = on.apply("1");
            assertThat(effects).hasValue(0);
            Flux.from(result).blockLast();
            Flux.from(on.apply("1")).blockLast();
            Flux.from(on.apply("2")).blockLast();

            assertThat(effects).hasValue(2);
            assertThat(context.getBean(RecordingOutcomes.class).outcomesOf(consumer))
                    .containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE, Outcome.PROCESSED);
        });
    }

    // the template itself knows them, too
    @Test
    void judgesReactiveResultWithoutAnnotation() throws Throwable {
        application.run(context -> {
            IdempotencyTemplate template = context.getBean(IdempotencyTemplate.class);
            MessageKey key = MessageKey.of("orders", "1");
            Execution<Mono<String>> execution = execute(template, key);
            assertThat(context.getBean(ClaimingIdempotencyStore.class).seen(key))
                    .isFalse();
            assertThat(execution.value()).isNotNull();
            assertThat(execution.value().block()).isEqualTo("value");
            assertThat(context.getBean(ClaimingIdempotencyStore.class).seen(key))
                    .isTrue();
        });
    }

    // K2: whoever subscribes must not be held up, whatever the wait of a first call is
    @Test
    void doesNotWaitWhenSubscribedToAgainWithoutAnnotation() {
        application.withPropertyValues("idempotency.in-flight-wait=5m").run(context -> {
            IdempotencyTemplate template = context.getBean(IdempotencyTemplate.class);
            Mono<String> result = execute(template, MessageKey.of("orders", "1"), Mono.never())
                    .value();
            Disposable first = result.subscribe();
            assertThatExceptionOfType(MessageInFlightException.class).isThrownBy(result::block);
            first.dispose();
        });
    }

    private static Execution<Mono<String>> execute(IdempotencyTemplate template, MessageKey key) {
        return execute(template, key, Mono.just("value"));
    }

    private static Execution<Mono<String>> execute(IdempotencyTemplate template, MessageKey key, Mono<String> work) {
        try {
            return template.execute(key, () -> work);
        } catch (Throwable ex) {
            throw new AssertionError(ex);
        }
    }

    private static Publisher<?> orEmpty(Object result) {
        return result == null ? Flux.empty() : (Mono<?>) result;
    }

    private static <H> Arguments kind(
            String consumer,
            Class<H> type,
            java.util.function.BiFunction<H, Map<String, Object>, Publisher<?>> handler) {
        Function<AssertableApplicationContext, Function<String, Publisher<?>>> on =
                context -> id -> handler.apply(context.getBean(type), message(id));
        return Arguments.of(consumer, Named.of("handler", on));
    }

    private static Claim claim(AssertableApplicationContext context, String consumer) {
        return context.getBean(ClaimingIdempotencyStore.class).claim(MessageKey.of(consumer, "1"), "probe", LEASE);
    }

    private static boolean seen(AssertableApplicationContext context, String consumer) {
        return context.getBean(ClaimingIdempotencyStore.class).seen(MessageKey.of(consumer, "1"));
    }

    private static List<Outcome> outcomes(AssertableApplicationContext context) {
        return context.getBean(RecordingOutcomes.class).outcomes();
    }

    @EnableResilientMethods
    static class Retrying {}

    static class Handler {

        private final AtomicInteger effects = new AtomicInteger();
        private Publisher<String> work = Mono.empty();

        void does(Publisher<String> publisher) {
            this.work = publisher;
        }

        int effects() {
            return effects.get();
        }

        @Idempotent
        public Mono<String> mono(Map<String, Object> message) {
            return Mono.from(work).doOnSubscribe(subscription -> effects.incrementAndGet());
        }

        @Retryable(maxRetries = 3, delay = 1)
        @Idempotent
        public Mono<String> retried(Map<String, Object> message) {
            return Mono.from(work);
        }

        @Idempotent
        public Flux<String> flux(Map<String, Object> message) {
            return Flux.from(work);
        }

        @Idempotent
        public Publisher<String> publisher(Map<String, Object> message) {
            return work;
        }

        @Idempotent
        public Flow.Publisher<String> flow(Map<String, Object> message) {
            return JdkFlowAdapter.publisherToFlowPublisher(work);
        }

        @Idempotent
        public Object undeclared(Map<String, Object> message) {
            return Mono.from(work);
        }
    }

    static class RxHandler {

        private Runnable work = () -> {};

        void does(Runnable runnable) {
            this.work = runnable;
        }

        @Idempotent
        public Flowable<String> flowable(Map<String, Object> message) {
            return Flowable.defer(() -> {
                work.run();
                return Flowable.just("a", "b");
            });
        }

        @Idempotent
        public Observable<String> observable(Map<String, Object> message) {
            return Observable.defer(() -> {
                work.run();
                return Observable.just("a", "b");
            });
        }

        @Idempotent
        public Uni<String> uni(Map<String, Object> message) {
            return Uni.createFrom().voidItem().invoke(work).map(nothing -> "value");
        }

        @Idempotent
        public Multi<String> multi(Map<String, Object> message) {
            return Multi.createFrom().items("a", "b").onCompletion().invoke(work);
        }

        @Idempotent
        public Maybe<String> maybe(Map<String, Object> message) {
            return Maybe.fromRunnable(() -> work.run());
        }

        @Idempotent
        public Completable completable(Map<String, Object> message) {
            return Completable.fromRunnable(() -> work.run());
        }
    }
}
