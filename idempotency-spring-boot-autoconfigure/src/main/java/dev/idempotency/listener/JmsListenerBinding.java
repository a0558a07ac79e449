package dev.idempotency.listener;

import dev.idempotency.ListenerMethodCheck;
import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.listener.AbstractMessageListenerContainer;

/**
 * Binds each JMS message to the call of its listener, as the current {@link dev.idempotency.Delivery}: for the
 * containers of all listener endpoints, whichever factory makes them, and for container beans.
 *
 * <p><b>Guarantee.</b> The guard sees the raw message under any listener signature. A skipped message is settled in
 * every acknowledge mode. A message for <em>later</em> goes back to the broker after a pause, and no error handler of
 * the application and no log above DEBUG takes it for a failure. What a listener throws reaches the container as the
 * same instance, and without a guarded method all is as before. Listener, factory, and error handler of the application
 * are wrapped, never replaced.
 *
 * <p><b>Limits.</b> A message received in an automatically acknowledged session is gone when its container stops before
 * the message is decided (an ERROR says so). Under client acknowledgement, settling or giving back one message also
 * settles or gives back those received before it in the session that are not acknowledged yet, as JMS has it. The pause
 * before a rollback holds the consumer, and the transaction of a container that begins one. Containers out of reach,
 * which are those of a resource adapter, are named in a warning; a registry or container that is no bean is not seen.
 *
 * <p>To be declared as a static bean method, since it is a post-processor of beans. Thread safe.
 *
 * @since 0.1
 */
public final class JmsListenerBinding
        implements SmartInstantiationAwareBeanPostProcessor, PriorityOrdered, ListenerMethodCheck {

    private final JmsContainerBinder binder;
    private final JmsRegistryAdvice registryAdvice;

    /**
     * Creates a binding.
     *
     * @param later how a message goes back to the broker
     * @param laterDelay the pause before a message goes back for the first time, or the delay of a copy; doubled with
     *     each delivery that the broker has counted
     * @param maxDelay the longest such pause
     * @throws IllegalArgumentException if a duration is negative
     */
    public JmsListenerBinding(JmsLater later, Duration laterDelay, Duration maxDelay) {
        this.binder = new JmsContainerBinder(new JmsSettings(later, laterDelay, maxDelay));
        this.registryAdvice = new JmsRegistryAdvice(binder);
    }

    /** First of all, so that a registry is bound which another post-processor makes the context create early. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    /** Refuses asynchronous listeners: their messages would be acknowledged before they are handled. */
    @Override
    public @Nullable String fault(Method method, boolean asynchronous) {
        // Two of them stand inside another annotation, which the simpler look-ups do not open.
        if (!asynchronous
                || !MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
                        .isPresent(JmsListener.class)) {
            return null;
        }
        return "A @JmsListener cannot return before its work is done: the container would acknowledge the message at the"
                + " return. Do the work in the method, and return void or the value itself.";
    }

    @Override
    public Class<?> determineBeanType(Class<?> beanClass, String beanName) {
        return JmsListenerEndpointRegistry.class.isAssignableFrom(beanClass)
                ? registryAdvice.proxyType(beanClass)
                : beanClass;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof AbstractMessageListenerContainer container) {
            binder.bind(container, beanName, null);
        }
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return bean instanceof JmsListenerEndpointRegistry registry ? registryAdvice.proxy(registry) : bean;
    }
}
