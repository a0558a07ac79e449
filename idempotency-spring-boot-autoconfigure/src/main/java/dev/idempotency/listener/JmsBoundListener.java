package dev.idempotency.listener;

import dev.idempotency.MessageDeferredException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jms.listener.SessionAwareMessageListener;
import org.springframework.jms.listener.SubscriptionNameProvider;

final class JmsBoundListener implements SessionAwareMessageListener<Message>, SubscriptionNameProvider {

    private static final Logger log = LoggerFactory.getLogger(JmsBoundListener.class);

    private static final int MAX_CAUSES = 50;

    private final Object delegate;
    private final JmsEndpoint endpoint;
    private final JmsSettings settings;

    JmsBoundListener(Object delegate, JmsEndpoint endpoint, JmsSettings settings) {
        this.delegate = delegate;
        this.endpoint = endpoint;
        this.settings = settings;
    }

    @Override
    public void onMessage(Message message, Session session) throws JMSException {
        JmsDelivery delivery = new JmsDelivery(message, session, endpoint, settings);
        try {
            delivery.run(() -> {
                call(message, session);
                return null;
            });
        } catch (Throwable failure) {
            afterFailure(delivery, failure);
            return;
        }
        afterReturn(delivery);
    }

    private static void afterReturn(JmsDelivery delivery) throws JMSException {
        MessageDeferredException reason = delivery.deferral();
        if (reason != null) {
            JmsReturn.flagged(delivery, reason);
        } else if (delivery.isSettled()) {
            delivery.acknowledgeIfContainerDoesNot();
        }
    }

    // As the container would have derived it from the listener itself: a durable subscription hangs on this name.
    @Override
    public String getSubscriptionName() {
        return delegate instanceof SubscriptionNameProvider provider
                ? provider.getSubscriptionName()
                : delegate.getClass().getName();
    }

    @SuppressWarnings("unchecked")
    private void call(Message message, Session session) throws JMSException {
        if (delegate instanceof SessionAwareMessageListener<?> listener) {
            ((SessionAwareMessageListener<Message>) listener).onMessage(message, session);
        } else {
            ((MessageListener) delegate).onMessage(message);
        }
    }

    private static void afterFailure(JmsDelivery delivery, Throwable failure) throws JMSException {
        if (delivery.wasNotHandled()) {
            log.debug("Advice failed over a message that was not handled", failure);
            afterReturn(delivery);
            return;
        }
        MessageDeferredException reason = deferralIn(failure);
        if (reason == null || !delivery.canReturn()) {
            JmsBoundListener.<JMSException>rethrow(failure);
        } else {
            JmsReturn.thrown(delivery, reason);
        }
    }

    private static @Nullable MessageDeferredException deferralIn(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
            if (cause instanceof MessageDeferredException deferral) {
                return deferral;
            }
            cause = cause.getCause();
        }
        return null;
    }

    // The same instance, whatever its type: a listener in another language may throw undeclared checked exceptions.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> void rethrow(Throwable failure) throws E {
        throw (E) failure;
    }
}
