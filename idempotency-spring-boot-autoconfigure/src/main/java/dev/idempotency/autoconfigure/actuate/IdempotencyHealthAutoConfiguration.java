package dev.idempotency.autoconfigure.actuate;

import dev.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import dev.idempotency.core.IdempotencyTemplate;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration Auto-configuration} of the health contributor
 * {@code idempotency}.
 *
 * @since 0.1
 */
@AutoConfiguration(after = IdempotencyAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
@ConditionalOnEnabledHealthIndicator("idempotency")
public final class IdempotencyHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = {"idempotencyHealthIndicator", "idempotencyHealthContributor"})
    StoreHealthIndicator idempotencyHealthIndicator(ObjectProvider<IdempotencyTemplate> template) {
        return new StoreHealthIndicator(template);
    }
}
