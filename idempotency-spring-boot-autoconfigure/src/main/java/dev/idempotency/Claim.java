package dev.idempotency;

/**
 * The store's answer to an attempt to become the one that handles a message.
 *
 * <p>An attempt that loses is an answer, never an exception. Only {@link #SEEN} may be settled as a duplicate.
 *
 * @since 0.1
 */
public enum Claim {

    /** The caller owns the message now and must run the handler. */
    ACQUIRED,

    /** Somebody else may be handling the message; whether it will succeed is not known yet. */
    HELD,

    /** The message has been handled successfully and is still retained. */
    SEEN
}
