package dev.idempotency.autoconfigure.metrics;

import dev.idempotency.store.memory.InMemoryIdempotencyStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** {@code idempotency.store.entries}: gauge of the messages that a store in memory keeps; {@code store}. */
final class InMemoryStoreMetrics implements SmartInitializingSingleton {

    private final Supplier<MeterRegistry> registry;
    private final Supplier<Map<String, InMemoryIdempotencyStore>> stores;

    InMemoryStoreMetrics(Supplier<MeterRegistry> registry, Supplier<Map<String, InMemoryIdempotencyStore>> stores) {
        this.registry = registry;
        this.stores = stores;
    }

    @Override
    public void afterSingletonsInstantiated() {
        stores.get()
                .forEach((name, store) -> Gauge.builder(
                                "idempotency.store.entries", store, InMemoryIdempotencyStore::size)
                        .description("Messages that the store in memory keeps")
                        .tag("store", name)
                        .register(registry.get()));
    }
}
