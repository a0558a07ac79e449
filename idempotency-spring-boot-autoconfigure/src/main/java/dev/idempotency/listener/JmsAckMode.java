package dev.idempotency.listener;

import jakarta.jms.JMSException;
import jakarta.jms.Session;
import org.springframework.jms.listener.AbstractMessageListenerContainer;

enum JmsAckMode {
    TRANSACTED,
    CLIENT,
    AUTOMATIC;

    static JmsAckMode of(Session session, AbstractMessageListenerContainer container) {
        try {
            return of(session.getTransacted(), session.getAcknowledgeMode());
        } catch (JMSException ex) {
            // A closed session does not tell; the container, which made it, does.
            return of(container.isSessionTransacted(), container.getSessionAcknowledgeMode());
        }
    }

    // Like the container, take every mode beyond the specified ones (Artemis: INDIVIDUAL) for a client's own.
    private static JmsAckMode of(boolean transacted, int mode) {
        if (transacted || mode == Session.SESSION_TRANSACTED) {
            return TRANSACTED;
        }
        return mode == Session.AUTO_ACKNOWLEDGE || mode == Session.DUPS_OK_ACKNOWLEDGE ? AUTOMATIC : CLIENT;
    }
}
