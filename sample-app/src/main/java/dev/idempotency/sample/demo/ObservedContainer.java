package dev.idempotency.sample.demo;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

/** Lets the demo see each message right after the broker has handed it out, before any listener or guard does. */
final class ObservedContainer extends DefaultMessageListenerContainer {

    private final DeliveryLog deliveries;

    ObservedContainer(DeliveryLog deliveries) {
        this.deliveries = deliveries;
    }

    @Override
    protected void invokeListener(Session session, Message message) throws JMSException {
        deliveries.observe(message, () -> super.invokeListener(session, message));
    }
}
