package dev.idempotency.aop;

import java.util.List;

/**
 * Methods carry {@link dev.idempotency.Idempotent} and cannot be guarded: all of them, with the reasons. Ends the start
 * of the application, since a guard that is silently not there costs more than a start that fails.
 *
 * @since 0.1
 */
public final class InvalidIdempotentMethodsException extends IllegalStateException {

    private final transient List<String> faults;

    InvalidIdempotentMethodsException(List<String> faults) {
        super("Methods cannot be guarded:\n- " + String.join("\n- ", faults));
        this.faults = List.copyOf(faults);
    }

    /** Returns one sentence for each fault: the method, the cause, and what to do. */
    public List<String> faults() {
        return faults;
    }
}
