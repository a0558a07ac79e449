package dev.idempotency.autoconfigure;

import dev.idempotency.listener.JmsListenerBinding;
import jakarta.jms.Message;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.jms.config.JmsListenerEndpointRegistry;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration Auto-configuration} of the binding to JMS
 * listeners.
 *
 * @since 0.1
 */
@AutoConfiguration
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass({JmsListenerEndpointRegistry.class, Message.class})
@ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
public final class IdempotencyJmsAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static JmsListenerBinding idempotencyJmsListenerBinding(Environment environment) {
        // A post-processor is made before other beans: so it takes its values from the environment, not from a bean.
        IdempotencyProperties properties =
                Binder.get(environment).bindOrCreate("idempotency", IdempotencyProperties.class);
        PropertyChecks.checked(properties);
        return new JmsListenerBinding(
                properties.getJms().getLater(), properties.getLaterDelay(), properties.getLease());
    }
}
