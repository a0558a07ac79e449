package dev.idempotency;

import org.jspecify.annotations.Nullable;

/**
 * <em>Later</em>: the message was not handled and must be delivered again. Neither a success nor a failure of the
 * handler, which was not called.
 *
 * @since 0.1
 */
public class MessageDeferredException extends RuntimeException {

    /**
     * Creates an exception.
     *
     * @param message what could not be decided, for whom, and why
     * @param cause what the store threw, if it did
     */
    public MessageDeferredException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
