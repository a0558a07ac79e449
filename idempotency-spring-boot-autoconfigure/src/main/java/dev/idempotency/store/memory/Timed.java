package dev.idempotency.store.memory;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

sealed interface Timed {

    StoredKey key();

    Instant end();

    // Tells entries apart that end at the same instant, oldest first.
    long number();

    default boolean isLive(Instant now) {
        return now.isBefore(end());
    }

    static Instant endOf(Instant start, Duration duration) {
        try {
            return start.plus(duration);
        } catch (DateTimeException | ArithmeticException ex) {
            return Instant.MAX;
        }
    }

    record Mark(StoredKey key, Instant end, long number) implements Timed {}

    record HeldClaim(StoredKey key, String owner, Instant since, Instant end, long number) implements Timed {

        boolean isHeldBy(String candidate, Instant now) {
            return owner.equals(candidate) && isLive(now);
        }
    }
}
