package dev.idempotency.listener;

import java.time.Duration;
import java.util.Objects;

record JmsSettings(JmsLater later, Duration laterDelay, Duration maxDelay) {

    JmsSettings {
        Objects.requireNonNull(later, "'later' must not be null");
        requireNotNegative(laterDelay, "laterDelay");
        requireNotNegative(maxDelay, "maxDelay");
    }

    private static void requireNotNegative(Duration duration, String name) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("'" + name + "' must not be negative");
        }
    }
}
