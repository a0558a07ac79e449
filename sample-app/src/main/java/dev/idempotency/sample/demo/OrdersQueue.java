package dev.idempotency.sample.demo;

import dev.idempotency.sample.OrderPublisher;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;

/** The broker's own figures. */
final class OrdersQueue {

    private final EmbeddedActiveMQ broker;

    OrdersQueue(EmbeddedActiveMQ broker) {
        this.broker = broker;
    }

    /** Returns how many messages are on the queue: ready, scheduled for redelivery, or handed out and not settled. */
    long pending() {
        return queue(OrderPublisher.QUEUE).getMessageCount();
    }

    /** Returns how many messages were settled by a consumer. */
    long settled() {
        return queue(OrderPublisher.QUEUE).getMessagesAcknowledged();
    }

    /** Returns how many messages are in the dead letters. */
    long deadLetters() {
        return queue("DLQ").getMessageCount();
    }

    private Queue queue(String name) {
        Queue queue = broker.getActiveMQServer().locateQueue(SimpleString.of(name));
        if (queue == null) {
            throw new IllegalStateException("The broker has no queue '" + name + "'");
        }
        return queue;
    }
}
