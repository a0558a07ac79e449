package dev.idempotency;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What became of a guarded call that ended normally.
 *
 * @param outcome the outcome as known at return: a call that takes part in an open transaction says
 *     {@link Outcome#PROCESSED} here, and is counted by what that transaction does in the end
 * @param value what the work returned; null if it was skipped
 * @param <T> what the work returns
 * @since 0.1
 */
public record Execution<T>(Outcome outcome, @Nullable T value) {

    /** Checks that an outcome is given. */
    public Execution {
        Objects.requireNonNull(outcome, "'outcome' must not be null");
    }

    /** Returns whether the work was called. */
    public boolean wasRun() {
        return outcome != Outcome.DUPLICATE && outcome != Outcome.REPLAY_SKIPPED;
    }
}
