package dev.idempotency.listener;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

// The broker gives a returned message back at once: without a pause all its attempts are spent in a second.
final class JmsPause {

    private static final long POLL_NANOS = Duration.ofMillis(50).toNanos();
    private static final int MAX_DOUBLINGS = 30;

    private JmsPause() {}

    static Duration length(JmsSettings settings, int deliveryCount) {
        int doublings = Math.min(deliveryCount - 1, MAX_DOUBLINGS);
        Duration length = settings.laterDelay().multipliedBy(1L << doublings);
        return length.compareTo(settings.maxDelay()) < 0 ? length : settings.maxDelay();
    }

    static void hold(Duration length, BooleanSupplier running) {
        long end = System.nanoTime() + length.toNanos();
        long left = length.toNanos();
        // Parking leaves the interrupt flag set, for the container to see.
        while (left > 0 && running.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(Math.min(left, POLL_NANOS));
            left = end - System.nanoTime();
        }
    }

    static int deliveryCount(Message message) {
        try {
            return Math.max(1, message.getIntProperty("JMSXDeliveryCount"));
        } catch (JMSException | RuntimeException ex) {
            // A broker from before JMS 2.0 does not count.
            return 1;
        }
    }
}
