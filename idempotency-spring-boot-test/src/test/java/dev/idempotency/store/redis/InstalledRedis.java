package dev.idempotency.store.redis;

import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.ScanOptions;

/**
 * A Redis that is there already: the one of the environment variable, else one that answers on its usual port, else the
 * tests are skipped. It is somebody else's: nothing is left in it, and nothing but the tests' own keys is touched.
 */
final class InstalledRedis implements BeforeAllCallback, AfterAllCallback {

    private static final String VARIABLE = "IDEMPOTENCY_TEST_REDIS_URL";
    private static final String USUAL = "redis://127.0.0.1:6379";

    private final String prefix = "idempotency-test-" + UUID.randomUUID() + ":";
    private @Nullable LettuceConnectionFactory connections;

    LettuceConnectionFactory connections() {
        return Objects.requireNonNull(connections);
    }

    String prefix() {
        return prefix;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        String asked = System.getenv(VARIABLE);
        connections = new LettuceConnectionFactory(
                LettuceConnectionFactory.createRedisConfiguration(asked != null ? asked : USUAL),
                LettuceClientConfiguration.builder()
                        .commandTimeout(Duration.ofSeconds(5))
                        .build());
        connections.afterPropertiesSet();
        connections.start();
        try (RedisConnection connection = connections.getConnection()) {
            connection.ping();
        } catch (RedisConnectionFailureException ex) {
            if (asked != null) {
                throw ex;
            }
            Assumptions.abort("No Redis answers at " + USUAL + ", and " + VARIABLE + " is not set");
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        LettuceConnectionFactory used = connections();
        try (RedisConnection connection = used.getConnection();
                Cursor<byte[]> own = connection
                        .keyCommands()
                        .scan(ScanOptions.scanOptions()
                                .match(prefix + "*")
                                .count(1000)
                                .build())) {
            own.forEachRemaining(key -> connection.keyCommands().del(key));
        } catch (RedisConnectionFailureException ex) {
            // skipped: there is nothing to remove
            Assumptions.abort("No Redis answers");
        } finally {
            used.destroy();
        }
    }
}
