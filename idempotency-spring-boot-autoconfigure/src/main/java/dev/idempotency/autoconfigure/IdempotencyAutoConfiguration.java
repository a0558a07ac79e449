package dev.idempotency.autoconfigure;

import dev.idempotency.IdempotencyListener;
import dev.idempotency.IdempotencyStore;
import dev.idempotency.MessageIdResolver;
import dev.idempotency.core.AsyncResults;
import dev.idempotency.core.IdempotencyTemplate;
import dev.idempotency.core.IdempotencyTemplateBuilder;
import dev.idempotency.message.StandardMessageIdResolver;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration Auto-configuration} of the guard.
 *
 * @since 0.1
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration"
        })
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@EnableConfigurationProperties(IdempotencyProperties.class)
@Import({
    InMemoryStoreConfiguration.class,
    RedisStoreConfiguration.class,
    JdbcStoreConfiguration.class,
    ReactorConfiguration.class,
    GuardConfiguration.class
})
public final class IdempotencyAutoConfiguration {

    // Lazy, so that a guard that is switched off leaves no store behind. Switched on, it asks for the template at
    // start.
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    IdempotencyTemplate idempotencyTemplate(
            IdempotencyProperties properties,
            ObjectProvider<IdempotencyStore> stores,
            MessageIdResolver resolver,
            ObjectProvider<IdempotencyListener> listeners,
            ObjectProvider<AsyncResults> asyncResults,
            ConfigurableListableBeanFactory beanFactory) {
        PropertyChecks checked = PropertyChecks.checked(properties);
        IdempotencyStore store = StoreChoice.of(stores, properties);
        IdempotencyTemplateBuilder builder = checked.templateOn(store)
                .storeName(StoreChoice.nameOf(store, beanFactory))
                .messageIdResolver(resolver);
        listeners.orderedStream().forEach(builder::listener);
        asyncResults.orderedStream().forEach(builder::asyncResults);
        return checked.build(builder);
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean(MessageIdResolver.class)
    StandardMessageIdResolver idempotencyMessageIdResolver(IdempotencyProperties properties) {
        return PropertyChecks.resolver(properties.getMessageId());
    }

    @Bean
    WaitsEnder idempotencyWaitsEnder(ApplicationContext context, ConfigurableListableBeanFactory beanFactory) {
        return new WaitsEnder(context, beanFactory);
    }
}
