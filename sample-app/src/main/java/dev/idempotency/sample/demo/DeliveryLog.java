package dev.idempotency.sample.demo;

import dev.idempotency.sample.OrderEnvelopes;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The account of deliveries: who got what from the broker and what became of it, seen from the container, outside of the
 * guard and without its help.
 *
 * <p>The number of deliveries is the broker's own: each message carries how often the broker has handed it out
 * ({@code JMSXDeliveryCount}), and the last such count of every message adds up to all deliveries. What the container saw
 * is counted apart from it, and the two must agree.
 */
final class DeliveryLog {

    private final OrderEnvelopes envelopes;
    private final ThreadLocal<@Nullable Attempt> current = new ThreadLocal<>();
    private final Map<String, OrderWatch> orders = new ConcurrentHashMap<>();
    private final Map<String, Integer> brokersCount = new ConcurrentHashMap<>();
    private final AtomicInteger handedOver = new AtomicInteger();
    private final AtomicInteger skipped = new AtomicInteger();
    private final AtomicInteger givenBack = new AtomicInteger();

    DeliveryLog(OrderEnvelopes envelopes) {
        this.envelopes = envelopes;
    }

    /** Runs the container's call of its listener, the guard included. */
    void observe(Message message, ListenerCall call) throws JMSException {
        Attempt attempt = handOver(message);
        current.set(attempt);
        try {
            call.run();
            if (!attempt.wasHandled()) {
                skipped.incrementAndGet();
            }
        } catch (JMSException | RuntimeException | Error ex) {
            if (!attempt.wasHandled()) {
                givenBack.incrementAndGet();
                attempt.order().givenBack();
            }
            throw ex;
        } finally {
            attempt.order().handedBack();
            current.remove();
        }
    }

    private Attempt handOver(Message message) throws JMSException {
        int number = message.getIntProperty("JMSXDeliveryCount");
        brokersCount.merge(message.getJMSMessageID(), number, Math::max);
        handedOver.incrementAndGet();
        OrderWatch order = of(envelopes.read(message.getBody(String.class)).orderId());
        order.handedOver();
        return new Attempt(order, number);
    }

    /** Returns the delivery that the current thread is handling. */
    Attempt current() {
        Attempt attempt = current.get();
        if (attempt == null) {
            throw new IllegalStateException("The handler was called without a delivery");
        }
        return attempt;
    }

    OrderWatch of(String orderId) {
        return orders.computeIfAbsent(orderId, id -> new OrderWatch());
    }

    /** Returns how often the broker has handed out a message, by its own count. */
    int deliveries() {
        return brokersCount.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns how often the container was handed a message. */
    int handedOver() {
        return handedOver.get();
    }

    /** Returns how many deliveries ended as a success without a call of the handler. */
    int skipped() {
        return skipped.get();
    }

    /** Returns how many deliveries went back to the broker without a call of the handler. */
    int givenBack() {
        return givenBack.get();
    }

    interface ListenerCall {
        void run() throws JMSException;
    }
}
