package dev.idempotency.test;

import java.time.Duration;
import java.util.Objects;
import org.awaitility.Awaitility;

/**
 * How time passes for a store under test: by moving its clock, or by waiting where the clock is the server's.
 *
 * @since 0.1
 */
public interface TestTime {

    /**
     * Lets at least the given time pass for the store.
     *
     * @param time the time
     */
    void pass(Duration time);

    /**
     * Returns the shortest time by which tests stay clear of the end of a retention or lease. It covers the
     * resolution of the store's clock and, when waiting, how long the test's own steps may take.
     */
    Duration moment();

    /**
     * Returns the time of a store that is judged by the given clock; a moment is one millisecond.
     *
     * @param clock the clock that the store was made with
     */
    static TestTime of(MutableClock clock) {
        return of(clock, Duration.ofMillis(1));
    }

    /**
     * Returns the time of a store that is judged by the given clock.
     *
     * @param clock the clock that the store was made with
     * @param moment the resolution with which the store keeps time
     */
    static TestTime of(MutableClock clock, Duration moment) {
        Objects.requireNonNull(clock, "'clock' must not be null");
        return new TestTime() {
            @Override
            public void pass(Duration time) {
                clock.advance(time);
            }

            @Override
            public Duration moment() {
                return moment;
            }
        };
    }

    /**
     * Returns the time of a store whose clock cannot be moved: it passes by waiting. Give such a store a retention of
     * a few seconds and a lease of about one in its tests.
     *
     * @param moment how long the slowest step of a test may take, a few hundred milliseconds
     */
    static TestTime real(Duration moment) {
        return new TestTime() {
            @Override
            public void pass(Duration time) {
                long end = System.nanoTime() + time.toNanos();
                Awaitility.await()
                        .pollInterval(Duration.ofMillis(5))
                        .atMost(time.plusMinutes(1))
                        .until(() -> System.nanoTime() - end >= 0);
            }

            @Override
            public Duration moment() {
                return moment;
            }
        };
    }
}
