package dev.idempotency.core;

import dev.idempotency.IdempotencyMode;
import dev.idempotency.MissingIdPolicy;
import dev.idempotency.StoreFailurePolicy;
import dev.idempotency.TransactionSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the user of a template has chosen. */
record Settings(
        IdempotencyMode mode,
        Duration lease,
        Duration leaseLimit,
        @Nullable Duration inFlightWait,
        StoreFailurePolicy onStoreFailure,
        MissingIdPolicy onMissingId,
        TransactionSettings transaction,
        boolean asynchronous) {

    private static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);
    private static final Duration DEFAULT_LEASE_LIMIT = Duration.ofHours(1);

    static final Settings DEFAULT = new Settings(
            IdempotencyMode.AUTO,
            DEFAULT_LEASE,
            DEFAULT_LEASE_LIMIT,
            null,
            StoreFailurePolicy.DEFER,
            MissingIdPolicy.PROCESS,
            TransactionSettings.DEFAULT,
            false);

    static Duration requirePositive(Duration duration, String name) {
        if (duration.isZero() || duration.isNegative()) {
            throw new IllegalArgumentException("'" + name + "' must be positive: " + duration);
        }
        return duration;
    }
}
