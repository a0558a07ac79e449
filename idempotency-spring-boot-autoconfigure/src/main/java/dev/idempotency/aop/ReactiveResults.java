package dev.idempotency.aop;

import dev.idempotency.core.AsyncResults;
import dev.idempotency.core.AsyncWork;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The reactive types that Spring can adapt, as asynchronous results: their work is done when somebody subscribes. Needs
 * Reactor on the class path.
 *
 * <p><strong>Guarantee.</strong> The first subscription is the run that was admitted with the call. Each further one, as
 * of a retry, is another guarded call: it ends empty if the message has been handled meanwhile, and with a {@link
 * dev.idempotency.MessageDeferredException} if it must be decided later. Completion, with a value or without, marks the
 * message before the subscriber learns of it; an error and a cancellation leave no mark. What is never subscribed to, or
 * never ends, keeps its claim until the lease limit. The store is asked on the thread that calls or subscribes, and told
 * of the end on one that may block; a subscription after a cancelled one waits until the end of that is told.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1
 */
public final class ReactiveResults implements AsyncResults {

    private static final ReactiveAdapterRegistry ADAPTERS = ReactiveAdapterRegistry.getSharedInstance();

    private static final Adapters BY_CLASS = new Adapters();

    /** Creates the results of all types that Spring's shared registry of adapters knows. */
    public ReactiveResults() {}

    static boolean isReactive(Class<?> type) {
        return ADAPTERS.getAdapter(type) != null;
    }

    /** Returns what makes empty results of a type; null if it cannot be empty, or is a special type of publisher. */
    static @Nullable Supplier<Object> empty(Class<?> type) {
        ReactiveAdapter adapter = ADAPTERS.getAdapter(type);
        if (adapter == null
                || !adapter.supportsEmpty()
                || !type.isAssignableFrom(adapter.getDescriptor().getReactiveType())) {
            return null;
        }
        // Not the empty value that the adapter has: a library may understand by it one that never completes.
        Publisher<?> nothing = adapter.isMultiValue() ? Flux.empty() : Mono.empty();
        return () -> adapter.fromPublisher(nothing);
    }

    // The registry itself takes any publisher for the general one, unless it is asked for the very type.
    private static @Nullable ReactiveAdapter adapter(Class<?> type) {
        Deque<Class<?>> nearestFirst = new ArrayDeque<>(List.of(type));
        while (!nearestFirst.isEmpty()) {
            Class<?> parent = nearestFirst.remove();
            ReactiveAdapter adapter = ADAPTERS.getAdapter(parent);
            if (adapter != null && adapter.getReactiveType() == parent) {
                return adapter;
            }
            if (parent.getSuperclass() != null) {
                nearestFirst.add(parent.getSuperclass());
            }
            nearestFirst.addAll(Arrays.asList(parent.getInterfaces()));
        }
        return null;
    }

    @Override
    public @Nullable Object observe(Object result, AsyncWork work) {
        ReactiveAdapter adapter = BY_CLASS.get(result.getClass()).orElse(null);
        if (adapter == null) {
            return null;
        }
        Publisher<Object> source = adapter.toPublisher(result);
        Subscriptions subscriptions = new Subscriptions(work);
        return adapter.fromPublisher(
                adapter.isMultiValue() ? subscriptions.toMany(source) : subscriptions.toOne(source));
    }

    /** The subscriptions to one result, each of which is a run of its own. */
    private static final class Subscriptions {

        private final AsyncWork work;
        private final Scheduler ends;
        private volatile @Nullable CompletableFuture<?> cancellation;

        Subscriptions(AsyncWork work) {
            this.work = work;
            this.ends = Schedulers.fromExecutor(work.executor());
        }

        Flux<Object> toMany(Publisher<Object> source) {
            return Flux.usingWhen(begun(), run -> source, this::succeeded, this::failed, this::cancelled);
        }

        Mono<Object> toOne(Publisher<Object> source) {
            return Mono.usingWhen(begun(), run -> Mono.from(source), this::succeeded, this::failed, this::cancelled);
        }

        // Empty if the message has been handled meanwhile, and so is then the whole.
        private Mono<AsyncWork.Run> begun() {
            return Mono.fromCallable(() -> {
                // Nobody waits for the end of what was cancelled, such as by a time-out before a retry: until it is
                // told,
                // its own claim would be in the way.
                CompletableFuture<?> pending = cancellation;
                if (pending != null) {
                    pending.join();
                }
                return work.begin();
            });
        }

        private Mono<Void> succeeded(AsyncWork.Run run) {
            return told(run::succeeded);
        }

        private Mono<Void> failed(AsyncWork.Run run, Throwable failure) {
            return told(() -> run.failed(failure));
        }

        private Mono<Void> cancelled(AsyncWork.Run run) {
            CompletableFuture<Void> told = told(() ->
                            run.failed(new CancellationException("Cancelled by its subscriber")))
                    .toFuture();
            cancellation = told;
            return Mono.fromFuture(told, true);
        }

        private Mono<Void> told(Runnable end) {
            return Mono.<Void>fromRunnable(end).subscribeOn(ends);
        }
    }

    private static final class Adapters extends ClassValue<Optional<ReactiveAdapter>> {
        @Override
        protected Optional<ReactiveAdapter> computeValue(Class<?> type) {
            return Optional.ofNullable(adapter(type));
        }
    }
}
