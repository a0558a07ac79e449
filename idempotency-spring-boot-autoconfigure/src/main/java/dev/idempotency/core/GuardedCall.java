package dev.idempotency.core;

import dev.idempotency.Execution;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.Work;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One call under guard. It is counted once, whoever learns of its outcome first. */
final class GuardedCall<T> {

    private final Subject subject;
    private final Work<T> work;
    private final Observers observers;
    private final long started = System.nanoTime();
    private final AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();

    GuardedCall(Subject subject, Work<T> work, Observers observers) {
        this.subject = subject;
        this.work = work;
        this.observers = observers;
    }

    Subject subject() {
        return subject;
    }

    MessageKey key() {
        return subject.key();
    }

    @Nullable
    T run() throws Throwable {
        return InWork.run(subject, work);
    }

    /** The same message once more, to be decided and counted anew. */
    GuardedCall<T> again() {
        return new GuardedCall<>(subject, work, observers);
    }

    void count(Outcome decided) {
        if (outcome.compareAndSet(null, decided)) {
            observers.outcome(key().consumer(), key().messageId(), decided, started);
        }
    }

    Execution<T> skipped() {
        count(Outcome.DUPLICATE);
        return new Execution<>(Outcome.DUPLICATE, null);
    }

    /** The outcome may still depend on a transaction that is open at return. */
    Execution<T> ran(@Nullable T value) {
        Outcome known = outcome.get();
        return new Execution<>(known != null ? known : Outcome.PROCESSED, value);
    }
}
