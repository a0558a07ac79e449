package dev.idempotency.listener;

import org.springframework.jms.config.JmsListenerContainerFactory;
import org.springframework.jms.config.JmsListenerEndpoint;
import org.springframework.jms.listener.MessageListenerContainer;

// The container is bound after the user's factory has done with it, and before the registry initializes it.
record JmsBindingFactory(JmsListenerContainerFactory<?> delegate, JmsContainerBinder binder)
        implements JmsListenerContainerFactory<MessageListenerContainer> {

    @Override
    public MessageListenerContainer createListenerContainer(JmsListenerEndpoint endpoint) {
        MessageListenerContainer container = delegate.createListenerContainer(endpoint);
        binder.bind(container, endpoint);
        return container;
    }
}
