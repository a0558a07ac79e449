package dev.idempotency.listener;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jms.listener.AbstractMessageListenerContainer;
import org.springframework.jms.support.JmsUtils;

final class JmsDelayedCopy {

    private static final Logger log = LoggerFactory.getLogger(JmsDelayedCopy.class);

    // The broker would take a copy for a repeated send and drop it: the message would be lost.
    private static final List<String> DUPLICATE_DETECTION = List.of("_AMQ_DUPL_ID", "JMS_SQS_DeduplicationId");

    private JmsDelayedCopy() {}

    // Null where a copy would reach others, nobody, or be taken for another message: roll back there.
    static @Nullable Queue target(Message message, Session session, AbstractMessageListenerContainer container) {
        try {
            if (container.isPubSubDomain() || isTiedToItsId(message)) {
                return null;
            }
            // Diverts, wildcards and address::queue names deliver from elsewhere than the message's own destination.
            return source(session, container) instanceof Queue source
                            && message.getJMSDestination() instanceof Queue own
                            && source.getQueueName().equals(own.getQueueName())
                    ? source
                    : null;
        } catch (JMSException | RuntimeException ex) {
            log.debug("No delayed copy possible", ex);
            return null;
        }
    }

    static void send(Message message, Session session, Queue target, Duration delay) throws JMSException {
        int deliveryMode = message.getJMSDeliveryMode();
        int priority = message.getJMSPriority();
        long timeToLive = timeLeft(message.getJMSExpiration());
        MessageProducer producer = session.createProducer(target);
        try {
            producer.setDeliveryDelay(delay.toMillis());
            producer.send(message, deliveryMode, priority, timeToLive);
        } finally {
            JmsUtils.closeMessageProducer(producer);
        }
    }

    private static boolean isTiedToItsId(Message message) throws JMSException {
        for (String property : DUPLICATE_DETECTION) {
            if (message.propertyExists(property)) {
                return true;
            }
        }
        return message.getJMSReplyTo() != null && message.getJMSCorrelationID() == null;
    }

    private static @Nullable Destination source(Session session, AbstractMessageListenerContainer container)
            throws JMSException {
        Destination destination = container.getDestination();
        String name = container.getDestinationName();
        if (destination != null || name == null) {
            return destination;
        }
        var resolver = container.getDestinationResolver();
        return resolver != null ? resolver.resolveDestinationName(session, name, false) : null;
    }

    // A message that has expired meanwhile is left to the broker, which knows where expired ones go.
    private static long timeLeft(long expiration) {
        return expiration == 0 ? 0 : Math.max(1, expiration - System.currentTimeMillis());
    }
}
