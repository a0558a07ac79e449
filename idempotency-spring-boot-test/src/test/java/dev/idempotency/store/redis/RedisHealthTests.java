package dev.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import dev.idempotency.autoconfigure.actuate.IdempotencyHealthAutoConfiguration;
import dev.idempotency.test.FaultyNetwork;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import redis.embedded.RedisServer;

/** K12: what the health of a store in Redis is, by what a message needs of it. */
class RedisHealthTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    DataRedisAutoConfiguration.class,
                    IdempotencyAutoConfiguration.class,
                    IdempotencyHealthAutoConfiguration.class))
            .withPropertyValues(
                    "idempotency.store=redis",
                    "idempotency.namespace=health",
                    "spring.data.redis.timeout=1s",
                    "spring.data.redis.connect-timeout=1s");

    private static Health health(ApplicationContext context) {
        return Objects.requireNonNull(context.getBean("idempotencyHealthIndicator", HealthIndicator.class)
                .health());
    }

    @ParameterizedTest
    @CsvSource({"defer, DOWN", "process, UNKNOWN"})
    void followsThePolicyWhileRedisIsGone(String policy, String status) throws Exception {
        try (FaultyNetwork network =
                FaultyNetwork.to("127.0.0.1", RedisServers.standalone().getPort())) {
            application
                    .withPropertyValues(
                            "spring.data.redis.port=" + network.port(), "idempotency.on-store-failure=" + policy)
                    .run(context -> {
                        assertThat(health(context).getStatus()).isEqualTo(Status.UP);
                        network.blackHole(true);
                        assertThat(health(context).getStatus().getCode()).isEqualTo(status);
                        assertThat(health(context).getDetails()).containsKeys("store", "error");
                    });
        }
    }

    // it answers, but no message gets past it
    @Test
    void isDownWhereRedisCanOnlyBeRead() throws Exception {
        RedisServer server = RedisServers.start();
        try {
            application
                    .withPropertyValues(
                            "spring.data.redis.port=" + server.ports().get(0))
                    .run(context -> {
                        assertThat(health(context).getStatus()).isEqualTo(Status.UP);
                        StringRedisTemplate redis = context.getBean(StringRedisTemplate.class);
                        assertThat(redis.keys("*")).isEmpty();
                        redis.execute((RedisCallback<Object>) connection -> {
                            connection.serverCommands().replicaOf("127.0.0.1", 1);
                            return null;
                        });
                        assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
                    });
        } finally {
            server.stop();
        }
    }
}
