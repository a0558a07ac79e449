package dev.idempotency.core;

import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** The asynchronous results of the JDK, whose work has begun when they are returned. */
final class Futures implements AsyncResults {

    private final Completions completions;

    Futures(Completions completions) {
        this.completions = completions;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is the result
    @Override
    public @Nullable Object observe(Object result, AsyncWork work) {
        if (result instanceof CompletionStage<?> stage) {
            return observe(stage, work);
        }
        return result instanceof Future<?> future ? observe(future, work) : null;
    }

    private GuardedFuture observe(CompletionStage<?> stage, AsyncWork work) {
        Future<?> future = stage instanceof Future<?> whole && isUsable(whole) ? whole : null;
        GuardedFuture handedOut = new GuardedFuture(future, admitted(work));
        if (future != null && future.isDone()) {
            stage.whenComplete(handedOut::end); // as good as a value: here and now
        } else {
            stage.whenCompleteAsync(handedOut::end, completions);
        }
        return handedOut;
    }

    // A minimal stage is a future by its class only.
    private static boolean isUsable(Future<?> future) {
        try {
            return future.isDone() || !future.isCancelled();
        } catch (UnsupportedOperationException ex) {
            return false;
        }
    }

    private GuardedFuture observe(Future<?> future, AsyncWork work) {
        GuardedFuture handedOut = new GuardedFuture(future, admitted(work));
        if (future.isDone()) {
            handedOut.endAs(future);
        } else {
            completions.whenDone(future, () -> handedOut.endAs(future));
        }
        return handedOut;
    }

    private static AsyncWork.Run admitted(AsyncWork work) {
        return Objects.requireNonNull(work.begin(), "The first run is always admitted");
    }
}
