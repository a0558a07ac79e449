package dev.idempotency;

/**
 * What happens to a message that has no usable id.
 *
 * @since 0.1
 */
public enum MissingIdPolicy {

    /** Runs the handler unguarded and counts the message as {@code unidentified}. The default. */
    PROCESS,

    /** Throws {@link MissingMessageIdException} without calling the handler. */
    REJECT
}
