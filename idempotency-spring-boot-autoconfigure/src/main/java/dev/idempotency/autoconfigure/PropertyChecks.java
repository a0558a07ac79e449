package dev.idempotency.autoconfigure;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.core.IdempotencyTemplate;
import dev.idempotency.core.IdempotencyTemplateBuilder;
import dev.idempotency.message.MessageIdSource;
import dev.idempotency.message.StandardMessageIdResolver;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Refuses values that could only fail later, by the name of their property. */
final class PropertyChecks {

    private static final boolean JACKSON =
            ClassUtils.isPresent("tools.jackson.core.json.JsonFactory", PropertyChecks.class.getClassLoader());

    private final IdempotencyProperties properties;

    private PropertyChecks(IdempotencyProperties properties) {
        this.properties = properties;
    }

    static PropertyChecks checked(IdempotencyProperties properties) {
        requirePositive("retention", properties.getRetention());
        requirePositive("lease", properties.getLease());
        requirePositive("lease-limit", properties.getLeaseLimit());
        requirePositive("later-delay", properties.getLaterDelay());
        Duration wait = properties.getInFlightWait();
        if (wait != null && wait.isNegative()) {
            throw invalid("in-flight-wait", wait, "It must not be negative.");
        }
        // Halved, since a doubled lease may be too long for a Duration.
        if (properties.getRetention().dividedBy(2).compareTo(properties.getLease()) < 0) {
            throw invalid(
                    "retention",
                    properties.getRetention(),
                    "It must be at least twice 'idempotency.lease', which is " + properties.getLease() + ".");
        }
        if (properties.getLeaseLimit().compareTo(properties.getLease()) < 0) {
            throw invalid(
                    "lease-limit",
                    properties.getLeaseLimit(),
                    "It must not be shorter than 'idempotency.lease', which is " + properties.getLease() + ".");
        }
        return new PropertyChecks(properties);
    }

    static StandardMessageIdResolver resolver(IdempotencyProperties.MessageId properties) {
        StandardMessageIdResolver.Builder builder = StandardMessageIdResolver.builder();
        check("message-id.sources", properties.getSources(), () -> builder.sources(properties.getSources()));
        check("message-id.headers", properties.getHeaders(), () -> builder.headers(properties.getHeaders()));
        check(
                "message-id.json-pointer",
                properties.getJsonPointer(),
                () -> builder.jsonPointer(properties.getJsonPointer()));
        if (!JACKSON && properties.getSources().contains(MessageIdSource.BODY)) {
            requireNothingOfJson(properties);
        }
        return builder.build();
    }

    /** Refuses what can only be meant for JSON, which no id is read from without Jackson. */
    private static void requireNothingOfJson(IdempotencyProperties.MessageId properties) {
        String reason = "JSON bodies are not read, since Jackson 3 is not on the class path. Add"
                + " spring-boot-starter-jackson.";
        if (!properties.getJsonPointer().equals(new IdempotencyProperties.MessageId().getJsonPointer())) {
            throw invalid("message-id.json-pointer", properties.getJsonPointer(), reason);
        }
        if (Set.copyOf(properties.getSources()).equals(Set.of(MessageIdSource.BODY))) {
            throw invalid("message-id.sources", properties.getSources(), reason);
        }
    }

    static int maxEntries(IdempotencyProperties properties) {
        int maxEntries = properties.getInMemory().getMaxEntries();
        if (maxEntries < 1) {
            throw invalid("in-memory.max-entries", maxEntries, "It must be positive.");
        }
        return maxEntries;
    }

    /** Refuses another store than the one that was chosen when the application was processed ahead of time. */
    static void requireChosen(StoreType built, IdempotencyProperties properties) {
        StoreType chosen = properties.getStore() != null ? properties.getStore() : StoreType.IN_MEMORY;
        if (chosen != built) {
            throw invalid(
                    "store",
                    properties.getStore(),
                    "The application was processed ahead of time for " + built + ". Process it with this value set, or"
                            + " start it without.");
        }
    }

    /** Returns what sets the application apart on a shared store: never nothing, since two would share their marks. */
    static String namespace(IdempotencyProperties properties, Environment environment) {
        String namespace = properties.getNamespace();
        if (namespace == null) {
            namespace = environment.getProperty("spring.application.name");
        }
        if (namespace == null || namespace.isBlank()) {
            throw invalid(
                    "namespace",
                    namespace,
                    "A shared store needs one, or other applications would share the marks of this one. Set it, or"
                            + " 'spring.application.name'.");
        }
        return namespace;
    }

    IdempotencyTemplateBuilder templateOn(IdempotencyStore store) {
        return IdempotencyTemplate.builder(store)
                .mode(properties.getMode())
                .lease(properties.getLease())
                .leaseLimit(properties.getLeaseLimit())
                .inFlightWait(properties.getInFlightWait())
                .onStoreFailure(properties.getOnStoreFailure())
                .onMissingId(properties.getOnMissingId());
    }

    /** Makes the template; a mode that its store cannot give is refused as a value of its property. */
    IdempotencyTemplate build(IdempotencyTemplateBuilder builder) {
        try {
            return builder.build();
        } catch (IllegalArgumentException ex) {
            throw invalid("mode", properties.getMode(), ex.getMessage());
        }
    }

    private static void check(String name, Object value, Runnable setter) {
        try {
            setter.run();
        } catch (IllegalArgumentException ex) {
            throw invalid(name, value, ex.getMessage());
        }
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw invalid(name, value, "It must be positive.");
        }
    }

    private static InvalidConfigurationPropertyValueException invalid(
            String name, @Nullable Object value, @Nullable String reason) {
        return new InvalidConfigurationPropertyValueException("idempotency." + name, value, reason);
    }
}
