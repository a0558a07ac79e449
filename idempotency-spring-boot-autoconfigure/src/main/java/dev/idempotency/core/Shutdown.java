package dev.idempotency.core;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ends every pause at once when the guard is closed. */
final class Shutdown {

    private final CountDownLatch closed = new CountDownLatch(1);

    void close() {
        closed.countDown();
    }

    boolean isClosed() {
        return closed.getCount() == 0;
    }

    /**
     * Pauses the thread, holding nothing.
     *
     * @return false if the pause was cut short, because the guard is closed or the thread was interrupted, whose
     *     interrupt status is then set again
     */
    boolean pause(Duration time) {
        try {
            return !closed.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
