package dev.idempotency.core;

import org.jspecify.annotations.Nullable;

/**
 * Recognises values that are returned before the work behind them is done, and tells when it is: such a call is judged
 * at its completion, not at its return. Futures and completion stages are known to every template; this adds further
 * kinds.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface AsyncResults {

    /**
     * Arranges that the end of the work is told, and returns the value to hand out instead of the returned one. Who
     * waits for that value sees its end only after {@link AsyncWork.Run#succeeded()} or
     * {@link AsyncWork.Run#failed(Throwable)} has returned, so that the message is marked before it is acknowledged.
     *
     * @param result what the work returned
     * @param work the work behind it
     * @return the value to hand out, which can stand where the returned one could; null if this value is of no kind that
     *     is known here
     */
    @Nullable
    Object observe(Object result, AsyncWork work);
}
