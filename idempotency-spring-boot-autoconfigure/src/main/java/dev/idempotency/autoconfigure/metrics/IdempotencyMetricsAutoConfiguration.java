package dev.idempotency.autoconfigure.metrics;

import dev.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import dev.idempotency.store.jdbc.JdbcCleanup;
import dev.idempotency.store.memory.InMemoryIdempotencyStore;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration Auto-configuration} of the guard's meters.
 *
 * @since 0.1
 */
@AutoConfiguration(
        after = IdempotencyAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration"
        })
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
public final class IdempotencyMetricsAutoConfiguration {

    @Bean
    IdempotencyMetrics idempotencyMetrics(ObjectProvider<MeterRegistry> registries) {
        return new IdempotencyMetrics(new RegistryChoice(registries));
    }

    @Bean
    @ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
    InMemoryStoreMetrics idempotencyInMemoryStoreMetrics(
            ObjectProvider<MeterRegistry> registries, ListableBeanFactory beanFactory) {
        return new InMemoryStoreMetrics(
                new RegistryChoice(registries),
                () -> beanFactory.getBeansOfType(InMemoryIdempotencyStore.class, false, false));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JdbcOperations.class)
    @ConditionalOnBean(JdbcCleanup.class)
    @ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
    static class JdbcCleanupConfiguration {

        @Bean
        JdbcCleanupMetrics idempotencyCleanupMetrics(
                ObjectProvider<MeterRegistry> registries, ObjectProvider<JdbcCleanup> cleanups) {
            return new JdbcCleanupMetrics(new RegistryChoice(registries), cleanups);
        }
    }
}
