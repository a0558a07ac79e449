package dev.idempotency.autoconfigure;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.store.memory.InMemoryIdempotencyStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** The store in memory: chosen by name, or, with a warning, where none is chosen. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(IdempotencyStore.class)
@Conditional(StoreCondition.class)
class InMemoryStoreConfiguration {

    private static final Logger log = LoggerFactory.getLogger(InMemoryStoreConfiguration.class);

    @Bean
    @Lazy
    InMemoryIdempotencyStore inMemoryIdempotencyStore(IdempotencyProperties properties) {
        PropertyChecks.requireChosen(StoreType.IN_MEMORY, properties);
        // Switched off, the guard has warned of that, and this store is made for a caller of the template only.
        if (properties.getStore() == null && properties.isEnabled()) {
            log.warn("Processed messages are remembered in the memory of this process only, because no store is chosen."
                    + " Another process, or this one after a restart, handles them again. Set 'idempotency.store', to"
                    + " 'in-memory' if that is what you want.");
        }
        PropertyChecks.checked(properties);
        return new InMemoryIdempotencyStore(properties.getRetention(), PropertyChecks.maxEntries(properties));
    }
}
