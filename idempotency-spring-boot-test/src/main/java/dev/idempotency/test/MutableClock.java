package dev.idempotency.test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A clock that stands still until a test moves it.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1
 */
public final class MutableClock implements InstantSource {

    private final AtomicReference<Instant> now;

    /** Creates a clock that shows an arbitrary, always equal time. */
    public MutableClock() {
        this(Instant.parse("2026-01-01T00:00:00Z"));
    }

    /**
     * Creates a clock that shows the given time.
     *
     * @param start the time
     */
    public MutableClock(Instant start) {
        this.now = new AtomicReference<>(Objects.requireNonNull(start, "'start' must not be null"));
    }

    @Override
    public Instant instant() {
        return now.get();
    }

    /**
     * Moves the clock by the given time, back if that is negative.
     *
     * @param time how far to move
     */
    public void advance(Duration time) {
        now.updateAndGet(instant -> instant.plus(time));
    }

    /**
     * Sets the clock to the given time, which may lie in its past.
     *
     * @param instant the time
     */
    public void set(Instant instant) {
        now.set(Objects.requireNonNull(instant, "'instant' must not be null"));
    }
}
