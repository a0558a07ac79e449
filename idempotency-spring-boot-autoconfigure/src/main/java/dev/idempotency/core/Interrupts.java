package dev.idempotency.core;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps an interrupt that is meant for the handler away from the guard's last words to the store. */
final class Interrupts {

    private Interrupts() {}

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
