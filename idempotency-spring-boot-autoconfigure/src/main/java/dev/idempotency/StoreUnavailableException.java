package dev.idempotency;

/**
 * <em>Later</em>, because the store did not answer, so that it is not known whether the message was handled before.
 *
 * @since 0.1
 */
public final class StoreUnavailableException extends MessageDeferredException {

    /**
     * Creates an exception.
     *
     * @param message which store did not answer, for whom
     * @param cause what the store threw
     */
    public StoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
