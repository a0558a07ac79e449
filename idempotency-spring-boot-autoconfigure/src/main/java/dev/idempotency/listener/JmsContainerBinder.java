package dev.idempotency.listener;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jms.config.JmsListenerEndpoint;
import org.springframework.jms.config.MethodJmsListenerEndpoint;
import org.springframework.jms.listener.AbstractMessageListenerContainer;
import org.springframework.jms.listener.MessageListenerContainer;
import org.springframework.util.ErrorHandler;

final class JmsContainerBinder {

    private static final Logger log = LoggerFactory.getLogger(JmsContainerBinder.class);

    private final JmsSettings settings;

    JmsContainerBinder(JmsSettings settings) {
        this.settings = settings;
    }

    void bind(MessageListenerContainer container, JmsListenerEndpoint endpoint) {
        Method method = endpoint instanceof MethodJmsListenerEndpoint known ? known.getMostSpecificMethod() : null;
        String name =
                method != null ? method.getDeclaringClass().getSimpleName() + "#" + method.getName() : endpoint.getId();
        if (container instanceof AbstractMessageListenerContainer hookable) {
            bind(hookable, name, method);
        } else {
            log.warn(
                    "No message bound for JMS endpoint '{}' ({}): a {} calls its listener out of reach. The message id of"
                            + " a guarded method is found in its arguments only, and a message in flight ends as a"
                            + " failure. Use a DefaultMessageListenerContainer.",
                    endpoint.getId(),
                    name,
                    container.getClass().getName());
        }
    }

    // A container without a listener is left alone, and each is bound once, however often it comes by.
    void bind(AbstractMessageListenerContainer container, String name, @Nullable Method method) {
        Object listener = container.getMessageListener();
        if (listener == null) {
            return;
        }
        if (!(listener instanceof JmsBoundListener)) {
            JmsEndpoint endpoint = new JmsEndpoint(name, method, container);
            container.setMessageListener(new JmsBoundListener(listener, endpoint, settings));
        }
        ErrorHandler errorHandler = container.getErrorHandler();
        if (!(errorHandler instanceof JmsErrorHandler)) {
            container.setErrorHandler(new JmsErrorHandler(errorHandler, container.getClass()));
        }
    }
}
