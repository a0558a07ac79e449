package dev.idempotency.autoconfigure;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.store.redis.RedisIdempotencyStore;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** The store in Redis, on the connections of the application. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnMissingBean(IdempotencyStore.class)
@Conditional(StoreCondition.class)
@EnableConfigurationProperties(RedisStoreProperties.class)
class RedisStoreConfiguration {

    @Bean
    @Lazy
    RedisIdempotencyStore redisIdempotencyStore(
            IdempotencyProperties properties,
            RedisStoreProperties redis,
            Environment environment,
            ListableBeanFactory beans) {
        PropertyChecks.requireChosen(StoreType.REDIS, properties);
        PropertyChecks.checked(properties);
        RedisConnectionFactory connections = connectionFactory(redis.getConnectionFactory(), beans);
        RedisTimeouts.check(connections, properties.getLease());
        return new RedisIdempotencyStore(
                connections,
                redis.getKeyPrefix(),
                PropertyChecks.namespace(properties, environment),
                properties.getRetention());
    }

    private static RedisConnectionFactory connectionFactory(@Nullable String name, ListableBeanFactory beans) {
        try {
            return name != null
                    ? beans.getBean(name, RedisConnectionFactory.class)
                    : beans.getBean(RedisConnectionFactory.class);
        } catch (NoUniqueBeanDefinitionException ex) {
            throw invalid(
                    name,
                    "There are several connection factories, and none is primary. Set it to one of " + candidates(beans)
                            + ".");
        } catch (BeanNotOfRequiredTypeException ex) {
            throw invalid(name, "That bean is no connection factory. Set it to one of " + candidates(beans) + ".");
        } catch (NoSuchBeanDefinitionException ex) {
            throw invalid(
                    name,
                    name != null
                            ? "There is no such connection factory, only " + candidates(beans)
                                    + ". Set it to one of them."
                            : "There is no connection factory. Declare a RedisConnectionFactory bean, or leave it to"
                                    + " Boot's own auto-configuration.");
        }
    }

    private static String candidates(ListableBeanFactory beans) {
        return Arrays.toString(beans.getBeanNamesForType(RedisConnectionFactory.class));
    }

    private static InvalidConfigurationPropertyValueException invalid(@Nullable String value, String reason) {
        return new InvalidConfigurationPropertyValueException("idempotency.redis.connection-factory", value, reason);
    }
}
