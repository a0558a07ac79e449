package dev.idempotency.sample;

import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.stereotype.Component;

/** Publishes orders, and puts the very same message on the queue again when asked: what brokers do unasked. */
@Component
public class OrderPublisher {

    public static final String QUEUE = "orders";

    private final JmsTemplate jms;
    private final OrderEnvelopes envelopes;
    private final ConcurrentMap<String, PublishedOrder> published = new ConcurrentHashMap<>();

    OrderPublisher(JmsTemplate jms, OrderEnvelopes envelopes) {
        this.jms = jms;
        this.envelopes = envelopes;
    }

    /** Returns what was published; null if there is such an order already. */
    @Nullable
    PublishedOrder publish(OrderCreated order) {
        String messageId = UUID.randomUUID().toString();
        PublishedOrder added = new PublishedOrder(order.orderId(), messageId, envelopes.write(order, messageId));
        if (published.putIfAbsent(added.orderId(), added) != null) {
            return null;
        }
        send(added.text());
        return added;
    }

    /** Returns what was published again; null if there is no such order. */
    @Nullable
    PublishedOrder redeliver(String orderId, int times) {
        PublishedOrder order = published.get(orderId);
        for (int i = 0; order != null && i < times; i++) {
            send(order.text());
        }
        return order;
    }

    /** Puts a message on the queue. */
    public void send(String text) {
        jms.convertAndSend(QUEUE, text);
    }

    record PublishedOrder(String orderId, String messageId, String text) {}
}
