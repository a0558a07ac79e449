package dev.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.MessageDeferredException;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import dev.idempotency.core.IdempotencyTemplate;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.embedded.RedisCluster;
import redis.embedded.RedisSentinel;
import redis.embedded.RedisServer;

/** K12: a primary that is gone, and a replica that Sentinel puts in its place. */
@Timeout(120)
class RedisSentinelTests {

    private static final MessageKey BEFORE = MessageKey.of("payments", "before");
    private static final MessageKey AFTER = MessageKey.of("payments", "after");

    private RedisCluster servers;

    @BeforeEach
    void start() throws IOException {
        servers = RedisCluster.newRedisCluster()
                .withServerBuilder(
                        RedisServer.newRedisServer().setting("bind 127.0.0.1").setting("save \"\""))
                .withSentinelBuilder(RedisSentinel.newRedisSentinel()
                        .downAfterMilliseconds(1000)
                        .failOverTimeout(5000))
                .ephemeral()
                .sentinelCount(1)
                .quorumSize(1)
                .replicationGroup("payments", 1)
                .build();
        servers.start();
    }

    @AfterEach
    void stop() {
        RedisServers.stop(servers);
    }

    @Test
    void goesOnWithTheReplicaAndItsMarks() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        AopAutoConfiguration.class,
                        DataRedisAutoConfiguration.class,
                        IdempotencyAutoConfiguration.class))
                .withPropertyValues(
                        "idempotency.store=redis",
                        "idempotency.namespace=sentinel",
                        "spring.data.redis.timeout=1s",
                        "spring.data.redis.connect-timeout=1s",
                        "spring.data.redis.sentinel.master=payments",
                        "spring.data.redis.sentinel.nodes=127.0.0.1:"
                                + servers.sentinelPorts().get(0))
                .run(context -> {
                    IdempotencyTemplate template = context.getBean(IdempotencyTemplate.class);
                    assertThat(deliver(template, BEFORE)).isEqualTo(Outcome.PROCESSED);
                    awaitReplicated();
                    awaitReplicaKnown();

                    servers.servers().get(0).stop();

                    assertThat(deliver(template, AFTER)).isEqualTo(Outcome.DEFERRED);
                    await().atMost(Duration.ofSeconds(60)).until(() -> deliver(template, AFTER) == Outcome.PROCESSED);
                    assertThat(deliver(template, BEFORE)).isEqualTo(Outcome.DUPLICATE);
                });
    }

    private static Outcome deliver(IdempotencyTemplate template, MessageKey key) {
        try {
            return template.execute(key, () -> "handled").outcome();
        } catch (MessageDeferredException ex) {
            return Outcome.DEFERRED;
        } catch (Throwable ex) {
            throw new AssertionError(ex);
        }
    }

    private void awaitReplicated() {
        LettuceConnectionFactory replica =
                RedisServers.connect("127.0.0.1", servers.serverPorts().get(1));
        try {
            RedisIdempotencyStore replicated = new RedisIdempotencyStore(
                    replica, RedisIdempotencyStore.DEFAULT_PREFIX, "sentinel", Duration.ofHours(1));
            await().until(() -> replicated.seen(BEFORE));
        } finally {
            replica.destroy();
        }
    }

    // Sentinel asks for replicas every few seconds, and cannot promote one that it does not know.
    private void awaitReplicaKnown() {
        RedisClient client = RedisClient.create(
                "redis://127.0.0.1:" + servers.sentinelPorts().get(0));
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> connection.sync().info("sentinel").contains("slaves=1"));
        } finally {
            client.shutdown();
        }
    }
}
