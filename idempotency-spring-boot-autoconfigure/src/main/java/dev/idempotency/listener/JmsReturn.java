package dev.idempotency.listener;

import dev.idempotency.MessageDeferredException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class JmsReturn {

    private static final Logger log = LoggerFactory.getLogger(JmsReturn.class);

    private JmsReturn() {}

    // The guard flagged the delivery: the listener method was not called, nothing has been done for this message.
    static void flagged(JmsDelivery delivery, MessageDeferredException reason) throws JMSException {
        Queue target = delivery.copyTarget();
        if (target != null && copied(delivery, target)) {
            return;
        }
        if (!delivery.canRollBack()) {
            log.error(
                    "Message lost for JMS listener '{}', whose session acknowledges a message on receipt: {} Use a"
                            + " transacted session or client acknowledgement.",
                    delivery.listenerName(),
                    reason.getMessage(),
                    reason);
            throw new JmsLaterException(reason);
        }
        rollBack(delivery, reason);
    }

    // A guarded method further down threw: what the listener has done until then must not be committed with a copy.
    static void thrown(JmsDelivery delivery, MessageDeferredException reason) throws JMSException {
        Queue target = delivery.canRollBack() ? null : delivery.copyTarget();
        if (target == null) {
            rollBack(delivery, reason);
        } else {
            delivery.sendCopy(target, delivery.pause());
        }
    }

    private static boolean copied(JmsDelivery delivery, Queue target) throws JMSException {
        Duration delay = delivery.pause();
        try {
            delivery.sendCopy(target, delay);
            return true;
        } catch (JMSException | RuntimeException ex) {
            if (!delivery.canRollBack()) {
                throw ex;
            }
            log.debug("No delayed copy for JMS listener '{}': rolled back instead", delivery.listenerName(), ex);
            return false;
        }
    }

    private static void rollBack(JmsDelivery delivery, MessageDeferredException reason) {
        JmsPause.hold(delivery.pause(), delivery::isRunning);
        throw new JmsLaterException(reason);
    }
}
