package dev.idempotency.autoconfigure;

import dev.idempotency.aop.GuardedMethods;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration Auto-configuration} of a guard that is switched
 * off: says so, once.
 *
 * @since 0.1
 */
@AutoConfiguration
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBooleanProperty(name = "idempotency.enabled", havingValue = false)
public final class DisabledIdempotencyAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(DisabledIdempotencyAutoConfiguration.class);

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static SmartInitializingSingleton idempotencyDisabledWarning(ConfigurableListableBeanFactory beanFactory) {
        return () -> {
            int methods = GuardedMethods.count(beanFactory);
            if (methods > 0) {
                log.warn(
                        "Duplicates are not skipped: {} annotated with @Idempotent, but 'idempotency.enabled' is false."
                                + " Set it to true, or remove it, to have them skipped.",
                        methods == 1 ? "1 method is" : methods + " methods are");
            }
        };
    }
}
