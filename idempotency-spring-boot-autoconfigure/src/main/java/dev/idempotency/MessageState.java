package dev.idempotency;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a store knows of one message, for people who ask. Never a basis for a decision: it may be outdated at once.
 *
 * @param status what is known
 * @param at since when the message is in flight, or until when it is seen; null if the store cannot tell
 * @since 0.1
 */
public record MessageState(Status status, @Nullable Instant at) {

    /** The three states of a message. */
    public enum Status {
        /** Never handled, failed, forgotten, or no longer retained. */
        UNKNOWN,
        /** Claimed by a handler in work. */
        IN_FLIGHT,
        /** Handled successfully and still retained. */
        SEEN
    }

    /** Checks that a status is given. */
    public MessageState {
        Objects.requireNonNull(status, "'status' must not be null");
    }

    /** Returns the state of a message that the store does not know. */
    public static MessageState unknown() {
        return new MessageState(Status.UNKNOWN, null);
    }

    /** Returns the state of a message that is being handled since the given time, null if that is not known. */
    public static MessageState inFlight(@Nullable Instant since) {
        return new MessageState(Status.IN_FLIGHT, since);
    }

    /** Returns the state of a message that is seen until the given time, null if that is not known. */
    public static MessageState seen(@Nullable Instant until) {
        return new MessageState(Status.SEEN, until);
    }
}
