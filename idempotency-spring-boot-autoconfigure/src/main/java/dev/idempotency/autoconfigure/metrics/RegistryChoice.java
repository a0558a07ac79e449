package dev.idempotency.autoconfigure.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;

/** The application's registry; all of them together, if it has several and none is the primary one. */
final class RegistryChoice implements Supplier<MeterRegistry> {

    private final ObjectProvider<MeterRegistry> registries;

    RegistryChoice(ObjectProvider<MeterRegistry> registries) {
        this.registries = registries;
    }

    @Override
    public MeterRegistry get() {
        MeterRegistry only = registries.getIfUnique();
        if (only != null) {
            return only;
        }
        CompositeMeterRegistry all = new CompositeMeterRegistry();
        registries.orderedStream().forEach(all::add);
        return all;
    }
}
