package dev.idempotency.core;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A run whose end cannot be waited for: it must be there at once. */
final class UnawaitedRun implements AsyncWork, AsyncWork.Run {

    private volatile boolean succeeded;
    private volatile @Nullable Throwable failure;

    @Override
    public Run begin() {
        return this;
    }

    @Override
    public Executor executor() {
        return Runnable::run;
    }

    @Override
    public void succeeded() {
        succeeded = true;
    }

    @Override
    public void failed(Throwable thrown) {
        failure = thrown;
    }

    /** Returns the value if the work has ended normally; throws what it has failed with, or that it has not ended. */
    <R> R ended(R value) throws Throwable {
        Throwable thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
        if (!succeeded) {
            throw new IllegalStateException(
                    "Work has not ended at its return: " + value.getClass().getName()
                            + ". A transaction on the store would commit before it. Return the value itself, or choose mode CLAIM.");
        }
        return value;
    }
}
