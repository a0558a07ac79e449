package dev.idempotency;

import java.util.Locale;

/**
 * How one guarded call ended: a closed list. Each call has exactly one outcome, known once the transaction that it
 * takes part in has ended.
 *
 * @since 0.1
 */
public enum Outcome {

    /** The handler succeeded and the message is marked. */
    PROCESSED,

    /** The id was seen before; the handler was not called. */
    DUPLICATE,

    /**
     * The handler succeeded, but another had claimed or marked the message meanwhile: the effect may have happened
     * twice.
     */
    OVERLAPPED,

    /** Given back for later: another call is handling the message. */
    IN_FLIGHT,

    /** Given back for later: the store did not answer. */
    DEFERRED,

    /** Run unguarded, because the message has no usable id. */
    UNIDENTIFIED,

    /** Run unguarded, because the store did not answer and the policy says so. */
    UNGUARDED,

    /** Refused, because the message has no usable id and the policy says so. */
    REJECTED,

    /** The handler threw, or the transaction it took part in did not commit; the message is not marked. */
    FAILED,

    /** The handler succeeded, but the mark could not be written. */
    UNMARKED,

    /** A duplicate that was run all the same, because duplicates are only observed. */
    OBSERVED,

    /** A seen message that was run again, because an operator's replay asked for it. */
    REPLAYED,

    /** A seen message that an operator replayed and that was skipped all the same. */
    REPLAY_SKIPPED;

    /** Returns the name by which meters and logs show this outcome: its own in lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
