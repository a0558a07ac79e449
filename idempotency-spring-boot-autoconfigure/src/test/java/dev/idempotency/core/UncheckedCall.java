package dev.idempotency.core;

import dev.idempotency.Execution;
import dev.idempotency.MessageKey;
import dev.idempotency.Work;

/** A guarded call where no checked exception is expected, for tests that make it in a lambda. */
final class UncheckedCall {

    private UncheckedCall() {}

    static <T> Execution<T> execute(IdempotencyTemplate template, MessageKey key, Work<T> work) {
        try {
            return template.execute(key, work);
        } catch (RuntimeException | Error ex) {
            throw ex;
        } catch (Throwable ex) {
            throw new AssertionError(ex);
        }
    }
}
