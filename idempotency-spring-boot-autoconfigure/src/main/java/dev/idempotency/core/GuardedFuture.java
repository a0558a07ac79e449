package dev.idempotency.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * What is handed out instead of a future: ends as that one did, after the guard has learnt of it. Cancelling it cancels
 * that one; what else becomes of it is no end of the work.
 */
final class GuardedFuture extends CompletableFuture<@Nullable Object> {

    private final @Nullable Future<?> source;
    private final AsyncWork.Run run;

    GuardedFuture(@Nullable Future<?> source, AsyncWork.Run run) {
        this.source = source;
        this.run = run;
    }

    void end(@Nullable Object value, @Nullable Throwable failure) {
        if (failure == null) {
            run.succeeded();
            complete(value);
        } else {
            run.failed(failure);
            completeExceptionally(failure);
        }
    }

    void endAs(Future<?> done) {
        Interrupts.shielded(() -> {
            try {
                end(done.get(), null);
            } catch (ExecutionException ex) {
                end(null, ex.getCause() != null ? ex.getCause() : ex);
            } catch (Throwable ex) {
                end(null, ex);
            }
            return null;
        });
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (source != null) {
            source.cancel(mayInterruptIfRunning);
        }
        return super.cancel(mayInterruptIfRunning);
    }
}
