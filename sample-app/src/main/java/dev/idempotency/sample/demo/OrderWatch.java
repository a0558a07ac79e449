package dev.idempotency.sample.demo;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What is going on with one order, all of its deliveries taken together. */
final class OrderWatch {

    // Ends a wait for something that does not come, so that the demo converges and can say what is missing.
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int inHand;
    private int inWork;
    private int runs;
    private int failures;
    private int successesOnRedelivery;
    private boolean overlapped;
    private boolean givenBack;

    /** A message was handed over; it overlaps if a run of the same order is in work at this very moment. */
    void handedOver() {
        change(() -> {
            inHand++;
            overlapped |= inWork > 0;
        });
    }

    /** A message is no longer in the hands of a consumer, whatever became of it. */
    void handedBack() {
        change(() -> inHand--);
    }

    /** A message went back to the broker without a call of the handler. */
    void givenBack() {
        change(() -> givenBack = true);
    }

    void startWork() {
        change(() -> {
            inWork++;
            runs++;
            // a copy may have come first, and wait already
            overlapped |= inHand > 1;
        });
    }

    void endWork(boolean failed, int attempt) {
        change(() -> {
            inWork--;
            failures += failed ? 1 : 0;
            successesOnRedelivery += !failed && attempt > 1 ? 1 : 0;
        });
    }

    void awaitCopy() {
        await(() -> overlapped);
    }

    void awaitGivenBack() {
        await(() -> givenBack);
    }

    int runs() {
        return read(() -> runs);
    }

    int failures() {
        return read(() -> failures);
    }

    boolean isOverlapped() {
        return read(() -> overlapped);
    }

    boolean recovered() {
        return read(() -> failures > 0 && successesOnRedelivery > 0);
    }

    private <T> T read(Supplier<T> value) {
        lock.lock();
        try {
            return value.get();
        } finally {
            lock.unlock();
        }
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void await(BooleanSupplier condition) {
        lock.lock();
        try {
            long left = LONGEST_WAIT.toNanos();
            while (!condition.getAsBoolean() && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
