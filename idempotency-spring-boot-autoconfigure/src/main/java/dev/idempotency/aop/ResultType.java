package dev.idempotency.aop;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** What a guarded method returns, and what a call of it returns that was skipped or given back. */
final class ResultType {

    private static final String CONTINUATION = "kotlin.coroutines.Continuation";
    static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Flux", ResultType.class.getClassLoader());

    // By name: they are refused also where nothing can adapt them.
    private static final Set<String> PUBLISHERS = Set.of(
            "org.reactivestreams.Publisher",
            "kotlinx.coroutines.flow.Flow",
            "kotlinx.coroutines.Job",
            "io.reactivex.rxjava3.core.ObservableSource",
            "io.reactivex.rxjava3.core.SingleSource",
            "io.reactivex.rxjava3.core.MaybeSource",
            "io.reactivex.rxjava3.core.CompletableSource",
            "io.smallrye.mutiny.Uni");

    private static final ResultType VALUE = new ResultType(false, () -> null);
    private static final ResultType FUTURE = new ResultType(true, ResultType::nothing);

    private final boolean asynchronous;
    private final Supplier<? extends @Nullable Object> empty;

    private ResultType(boolean asynchronous, Supplier<? extends @Nullable Object> empty) {
        this.asynchronous = asynchronous;
        this.empty = empty;
    }

    /** Throws IllegalArgumentException, with the cause and what to do, if there would be nothing to return for a skip. */
    static ResultType of(Method method, Class<?> beanClass) {
        if (isSuspending(method)) {
            throw new IllegalArgumentException("A suspending function cannot be guarded: it returns before its work is"
                    + " done. Make it blocking.");
        }
        Class<?> type = ResolvableType.forMethodReturnType(method, beanClass).toClass();
        if (type.isPrimitive() && type != void.class) {
            throw refused(type, "and a skipped call has no value to return. Return void or an object type.");
        }
        if (Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)) {
            return future(type);
        }
        return isPublisher(type) ? publisher(type) : VALUE;
    }

    boolean isAsynchronous() {
        return asynchronous;
    }

    /** Returns what stands for nothing; null for a value. */
    @Nullable
    Object empty() {
        return empty.get();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is done
    private static Object nothing() {
        CompletableFuture<Object> future = new CompletableFuture<>();
        future.complete(null);
        return future;
    }

    private static ResultType future(Class<?> type) {
        if (!type.isAssignableFrom(CompletableFuture.class)) {
            throw refused(type, "in whose place the guard has nothing to return. Return CompletableFuture.");
        }
        return FUTURE;
    }

    private static ResultType publisher(Class<?> type) {
        if (!REACTOR) {
            throw refused(
                    type,
                    "which can only be guarded with Reactor. Add io.projectreactor:reactor-core, or return the"
                            + " value itself.");
        }
        Supplier<Object> empty = ReactiveResults.empty(type);
        if (empty == null) {
            throw refused(
                    type,
                    "which cannot be empty, or in whose place the guard has nothing to return. Return Mono,"
                            + " Flux or CompletableFuture.");
        }
        return new ResultType(true, empty);
    }

    private static IllegalArgumentException refused(Class<?> type, String reason) {
        return new IllegalArgumentException("It returns " + type.getSimpleName() + ", " + reason);
    }

    private static boolean isSuspending(Method method) {
        Class<?>[] types = method.getParameterTypes();
        return types.length > 0 && types[types.length - 1].getName().equals(CONTINUATION);
    }

    private static boolean isPublisher(Class<?> type) {
        return Flow.Publisher.class.isAssignableFrom(type)
                || TypeNames.isAny(type, PUBLISHERS)
                || (REACTOR && ReactiveResults.isReactive(type));
    }
}
