package dev.idempotency.core;

import dev.idempotency.Delivery;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The wait of a copy for the end of the first: bounded, between questions to the store, holding nothing. How long it
 * may last is the delivery's to say, where there is one, since it depends on what a return costs at its broker.
 */
final class Waiting {

    private static final Duration DEFAULT_WAIT = Duration.ofSeconds(1);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

    private final @Nullable Delivery delivery;
    private final @Nullable Duration configured;
    private final Shutdown shutdown;
    private final long started = System.nanoTime();
    private long counted = started;
    private Duration next = FIRST_PAUSE;

    Waiting(@Nullable Delivery delivery, @Nullable Duration configured, Shutdown shutdown) {
        this.delivery = delivery;
        this.configured = configured;
        this.shutdown = shutdown;
    }

    /** Returns whether a message that is given back now is delivered again. */
    boolean canReturn() {
        return delivery == null || delivery.canReturn();
    }

    /** Pauses before the next question; false if there is no time left, or no use in waiting. */
    boolean pause() {
        count();
        Duration left = left();
        if (left.isZero() || left.isNegative()) {
            return false;
        }
        Duration pause = left.compareTo(next) < 0 ? left : next;
        boolean full = shutdown.pause(pause);
        count();
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
        return full;
    }

    /** Counts the time of questions, too: a store may need a while to tell that a message is held. */
    private void count() {
        long now = System.nanoTime();
        if (delivery != null) {
            delivery.waited(Duration.ofNanos(now - counted));
        }
        counted = now;
    }

    private Duration left() {
        if (delivery != null) {
            return delivery.waitLeft(configured);
        }
        Duration budget = configured != null ? configured : DEFAULT_WAIT;
        return budget.minusNanos(System.nanoTime() - started);
    }
}
