package dev.idempotency;

/**
 * <em>Later</em>, because another call is handling the message, and whether it will succeed is not known yet.
 *
 * @since 0.1
 */
public final class MessageInFlightException extends MessageDeferredException {

    /**
     * Creates an exception.
     *
     * @param message what is in flight, for whom
     */
    public MessageInFlightException(String message) {
        super(message, null);
    }
}
