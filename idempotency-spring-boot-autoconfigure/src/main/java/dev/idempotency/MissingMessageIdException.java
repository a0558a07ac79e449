package dev.idempotency;

/**
 * The message has no usable id and {@link MissingIdPolicy#REJECT} is in force. Final: another delivery of the same
 * message would end the same way.
 *
 * @since 0.1
 */
public final class MissingMessageIdException extends RuntimeException {

    /**
     * Creates an exception.
     *
     * @param message which consumer met a message without an id, and what to do
     */
    public MissingMessageIdException(String message) {
        super(message);
    }
}
