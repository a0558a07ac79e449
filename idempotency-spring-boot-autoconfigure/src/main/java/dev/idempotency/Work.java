package dev.idempotency;

import org.jspecify.annotations.Nullable;

/**
 * What is guarded: the handling of one message.
 *
 * @param <T> what the handling returns
 * @since 0.1
 */
@FunctionalInterface
public interface Work<T> {

    /**
     * Handles the message. A normal return is a success; anything thrown is a failure and leaves no mark.
     *
     * @return the result, may be null
     * @throws Throwable whatever the handling throws; it reaches the caller as the same instance
     */
    @Nullable
    T run() throws Throwable;
}
