package dev.idempotency.listener;

import dev.idempotency.Delivery;
import dev.idempotency.message.JmsMessages;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class JmsDelivery extends Delivery {

    // Each return to the broker counts as a delivery, so a little more than a lease is waited before one is spent.
    private static final Duration DEFAULT_WAIT = Duration.ofSeconds(35);

    // Without a way back, the alternative to waiting is losing the message. Asked again on each round of the wait.
    private static final Duration AS_LONG_AS_IT_RUNS = Duration.ofDays(1);

    private final Message message;
    private final Session session;
    private final JmsEndpoint endpoint;
    private final JmsSettings settings;

    private Duration waited = Duration.ZERO;
    private boolean bodyRead;
    private @Nullable Object body;
    private @Nullable Map<String, ?> headers;
    private @Nullable JmsAckMode ackMode;
    private boolean copyTargetKnown;
    private @Nullable Queue copyTarget;

    JmsDelivery(Message message, Session session, JmsEndpoint endpoint, JmsSettings settings) {
        this.message = message;
        this.session = session;
        this.endpoint = endpoint;
        this.settings = settings;
    }

    @Override
    public @Nullable Object body() {
        if (!bodyRead) {
            body = JmsMessages.body(message);
            bodyRead = true;
        }
        return body;
    }

    @Override
    public Map<String, ?> headers() {
        if (headers == null) {
            headers = JmsMessages.headers(message);
        }
        return headers;
    }

    @Override
    public @Nullable Method listener() {
        return endpoint.listener();
    }

    @Override
    public boolean canReturn() {
        return canRollBack() || copyTarget() != null;
    }

    @Override
    public Duration waitLeft(@Nullable Duration configured) {
        if (!isRunning()) {
            return Duration.ZERO;
        }
        if (!canReturn()) {
            return AS_LONG_AS_IT_RUNS;
        }
        Duration left = (configured != null ? configured : DEFAULT_WAIT).minus(waited);
        return left.isNegative() ? Duration.ZERO : left;
    }

    @Override
    public void waited(Duration time) {
        waited = waited.plus(time);
    }

    // Turns false first thing when the container or its context stops. Before that a message that is given back would
    // come again at once, so that the context's close event is no reason to stop waiting.
    boolean isRunning() {
        return endpoint.container().isRunning();
    }

    boolean canRollBack() {
        return ackMode() != JmsAckMode.AUTOMATIC;
    }

    // Null if the message must not be copied.
    @Nullable
    Queue copyTarget() {
        if (!copyTargetKnown) {
            copyTarget = settings.later() == JmsLater.DELAYED_COPY
                    ? JmsDelayedCopy.target(message, session, endpoint.container())
                    : null;
            copyTargetKnown = true;
        }
        return copyTarget;
    }

    void sendCopy(Queue target, Duration delay) throws JMSException {
        JmsDelayedCopy.send(message, session, target, delay);
        acknowledgeIfContainerDoesNot();
    }

    // The container acknowledges for itself in all modes, unless told not to; a second time is an error on Artemis.
    void acknowledgeIfContainerDoesNot() throws JMSException {
        if (ackMode() == JmsAckMode.CLIENT && !endpoint.container().isAcknowledgeAfterListener()) {
            message.acknowledge();
        }
    }

    // What was already waited for this message counts as pause.
    Duration pause() {
        Duration pause =
                JmsPause.length(settings, JmsPause.deliveryCount(message)).minus(waited);
        return pause.isNegative() ? Duration.ZERO : pause;
    }

    // The guard decided without calling the listener method: what was thrown came from advice round it, which may
    // refuse
    // an empty result. Where the method is not known, it may have come from anything that the listener did besides.
    boolean wasNotHandled() {
        return listener() != null && (isSettled() || deferral() != null);
    }

    String listenerName() {
        return endpoint.name();
    }

    private JmsAckMode ackMode() {
        if (ackMode == null) {
            ackMode = JmsAckMode.of(session, endpoint.container());
        }
        return ackMode;
    }
}
