package dev.idempotency.autoconfigure;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * The classes by whose names optional libraries are looked for. A native image knows no other class by its name: without
 * these, a library that is there would count as absent. And the scripts, which are read from the class path.
 */
final class LibraryHints implements RuntimeHintsRegistrar {

    static final List<String> LOOKED_UP = List.of(
            "io.lettuce.core.RedisClient",
            "jakarta.jms.Message",
            "org.springframework.messaging.Message",
            "org.springframework.transaction.interceptor.TransactionAttributeSource",
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            "reactor.core.publisher.Flux",
            "tools.jackson.core.json.JsonFactory",
            "tools.jackson.databind.JsonNode");

    static final List<String> SCRIPTS =
            List.of("dev/idempotency/store/redis/*.lua", "dev/idempotency/store/jdbc/*.sql");

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        SCRIPTS.forEach(hints.resources()::registerPattern);
        LOOKED_UP.forEach(name -> hints.reflection().registerTypeIfPresent(classLoader, name));
    }
}
