package dev.idempotency.core;

import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Writes a mark after the handler has succeeded. The effect has happened by then, so that no failure of the store may
 * turn into a failure of the message: a redelivery could only repeat the effect.
 */
final class MarkWriter {

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    private final StoreContext context;

    MarkWriter(StoreContext context) {
        this.context = context;
    }

    /** Tries for at most two seconds; returns PROCESSED, OVERLAPPED or UNMARKED, and never throws. */
    Outcome write(MessageKey key, BooleanSupplier mark) {
        return Interrupts.shielded(() -> tryFor(PATIENCE, key, mark));
    }

    /** Tries once, where the store has just failed to answer; returns what {@link #write} does, and never throws. */
    Outcome tryOnce(MessageKey key, BooleanSupplier mark) {
        return Interrupts.shielded(() -> tryFor(Duration.ZERO, key, mark));
    }

    private Outcome tryFor(Duration patience, MessageKey key, BooleanSupplier mark) {
        long started = System.nanoTime();
        Duration pause = FIRST_PAUSE;
        while (true) {
            try {
                return mark.getAsBoolean() ? Outcome.PROCESSED : Outcome.OVERLAPPED;
            } catch (Throwable ex) {
                Duration left = patience.minusNanos(System.nanoTime() - started);
                if (left.isNegative() || left.isZero() || !Interrupts.pause(pause.compareTo(left) < 0 ? pause : left)) {
                    warn(key, ex);
                    return Outcome.UNMARKED;
                }
                pause = pause.multipliedBy(2);
            }
        }
    }

    private void warn(MessageKey key, Throwable ex) {
        context.warnings()
                .warn(
                        key.consumer(),
                        "Mark could not be written to store '" + context.calls().store() + "' for consumer " + key
                                + ". The handler has succeeded, so the message is settled; a copy of it may run again."
                                + " Check the store.",
                        ex);
    }
}
