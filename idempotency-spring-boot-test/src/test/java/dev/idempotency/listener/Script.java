package dev.idempotency.listener;

import dev.idempotency.Delivery;
import dev.idempotency.MessageInFlightException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** What the listener method does with each message, as the guard would or as a handler would. */
final class Script {

    interface Act {
        void on(JmsDelivery delivery) throws Exception;
    }

    record Seen(Message message, Object payload, Delivery delivery, Object body, int deliveryCount, String id) {}

    static final Act SKIP = Delivery::settle;
    static final Act LATER = delivery -> delivery.later(new MessageInFlightException("Message in flight for test"));
    static final Act RUN = delivery -> {};

    private final Queue<Act> acts = new ConcurrentLinkedQueue<>();
    private volatile Act otherwise = RUN;
    private final List<Seen> seen = new CopyOnWriteArrayList<>();

    static Act fail(Throwable failure) {
        return delivery -> Script.<RuntimeException>sneak(failure);
    }

    Script then(Act... next) {
        acts.addAll(List.of(next));
        return this;
    }

    Script otherwise(Act act) {
        otherwise = act;
        return this;
    }

    List<Seen> seen() {
        return seen;
    }

    List<Integer> deliveryCounts() {
        return seen.stream().map(Seen::deliveryCount).toList();
    }

    void play(Message message, Object payload) throws Exception {
        JmsDelivery delivery = (JmsDelivery) Delivery.current();
        Object body = delivery != null ? delivery.body() : null;
        seen.add(new Seen(message, payload, delivery, body, deliveryCount(message), message.getJMSMessageID()));
        Act act = acts.poll();
        (act != null ? act : otherwise).on(delivery);
    }

    static int deliveryCount(Message message) throws JMSException {
        return message.getIntProperty("JMSXDeliveryCount");
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable failure) throws E {
        throw (E) failure;
    }
}
