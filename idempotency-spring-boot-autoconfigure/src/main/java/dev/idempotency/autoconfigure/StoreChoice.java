package dev.idempotency.autoconfigure;

import dev.idempotency.IdempotencyStore;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.StringUtils;

/** The one store of the guard, and the name of its bean, by which logs, meters and annotations know it. */
final class StoreChoice {

    private StoreChoice() {}

    static IdempotencyStore of(ObjectProvider<IdempotencyStore> stores, IdempotencyProperties properties) {
        try {
            return stores.getObject();
        } catch (NoUniqueBeanDefinitionException ex) {
            throw new AmbiguousStoreException(ex);
        } catch (NoSuchBeanDefinitionException ex) {
            StoreType asked = properties.getStore();
            String value = asked != null ? asked.name().toLowerCase(Locale.ROOT).replace('_', '-') : null;
            throw new InvalidConfigurationPropertyValueException(
                    "idempotency.store", value, "This store cannot be made here. " + cure(asked));
        }
    }

    private static String cure(@Nullable StoreType asked) {
        String own = "declare an IdempotencyStore bean.";
        if (asked == StoreType.REDIS) {
            return "Add spring-boot-starter-data-redis, or " + own;
        }
        if (asked == StoreType.JDBC) {
            return "Add spring-boot-starter-jdbc, or " + own;
        }
        return StringUtils.capitalize(own);
    }

    static String nameOf(IdempotencyStore store, ConfigurableListableBeanFactory beanFactory) {
        for (String name : beanFactory.getBeanNamesForType(IdempotencyStore.class, true, false)) {
            if (beanFactory.getSingleton(name) == store) {
                return name;
            }
        }
        return store.getClass().getSimpleName();
    }
}
