package dev.idempotency.core;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps an interrupt that is meant for the handler away from the guard's last words to the store. */
final class Interrupts {

    private Interrupts() {}

    /** Pauses the thread also while the guard is being closed; false if interrupted, whose status is then set again. */
    static boolean pause(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
            return true;
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Runs with the interrupt status cleared, since clients refuse to send while it is set, and sets it again. */
    static <R extends @Nullable Object> R shielded(Supplier<R> action) {
        boolean interrupted = Thread.interrupted();
        try {
            return action.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
