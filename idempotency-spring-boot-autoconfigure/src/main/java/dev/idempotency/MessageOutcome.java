package dev.idempotency;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one guarded call, as {@link IdempotencyListener} sees it.
 *
 * @param consumer the name of the consumer
 * @param messageId the message id, verbatim; null if the message has no usable one
 * @param outcome how the call ended
 * @param duration from the start of the call until its outcome was known
 * @since 0.1
 */
public record MessageOutcome(String consumer, @Nullable String messageId, Outcome outcome, Duration duration) {

    /** Checks that all but the id are given. */
    public MessageOutcome {
        Objects.requireNonNull(consumer, "'consumer' must not be null");
        Objects.requireNonNull(outcome, "'outcome' must not be null");
        Objects.requireNonNull(duration, "'duration' must not be null");
    }
}
