package dev.idempotency;

/**
 * What happens to a message when the store does not answer before the handler runs.
 *
 * @since 0.1
 */
public enum StoreFailurePolicy {

    /** Gives the message back to be delivered later; no message is lost and no effect doubled. The default. */
    DEFER,

    /** Runs the handler unguarded, counts the message as {@code unguarded}, and still tries to mark it. */
    PROCESS
}
