package dev.idempotency;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a transaction is begun.
 *
 * @param isolation one of the {@code TRANSACTION_…} constants of {@link java.sql.Connection}; null for the default
 * @param timeout after which the transaction is given up; null for the default
 * @since 0.1
 */
public record TransactionSettings(
        @Nullable Integer isolation, @Nullable Duration timeout) {

    /** The defaults of the transaction manager. */
    public static final TransactionSettings DEFAULT = new TransactionSettings(null, null);

    /** Checks that a timeout, if given, is positive. */
    public TransactionSettings {
        if (timeout != null && (timeout.isZero() || timeout.isNegative())) {
            throw new IllegalArgumentException("'timeout' must be positive: " + timeout);
        }
    }
}
