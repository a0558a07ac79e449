package dev.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.Claim;
import dev.idempotency.MessageKey;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.cluster.SlotHash;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.embedded.RedisServer;
import redis.embedded.RedisShardedCluster;

/** K3, K12: one key per step, so that each is right wherever it lies in a cluster (O39, O68). */
class RedisClusterTests {

    private static final Duration LEASE = Duration.ofMinutes(1);

    private static RedisShardedCluster cluster;
    private static LettuceConnectionFactory connections;

    private final String namespace = "test-" + UUID.randomUUID();
    private final RedisIdempotencyStore store = new RedisIdempotencyStore(
            connections, RedisIdempotencyStore.DEFAULT_PREFIX, namespace, Duration.ofMinutes(10));

    @BeforeAll
    static void start() throws IOException {
        cluster = RedisShardedCluster.newRedisCluster()
                .withServerBuilder(
                        RedisServer.newRedisServer().setting("bind 127.0.0.1").setting("save \"\""))
                .ephemeral()
                .shard("a", 0)
                .shard("b", 0)
                .shard("c", 0)
                .build();
        cluster.start();
        connections = new LettuceConnectionFactory(
                new RedisClusterConfiguration(cluster.ports().stream()
                        .map(port -> "127.0.0.1:" + port)
                        .toList()),
                LettuceClientConfiguration.builder()
                        .readFrom(ReadFrom.REPLICA_PREFERRED)
                        .build());
        connections.afterPropertiesSet();
        connections.start();
        cluster.ports().forEach(RedisClusterTests::awaitUp);
    }

    // Each node learns by itself that all slots are served; before that it answers CLUSTERDOWN.
    private static void awaitUp(int port) {
        LettuceConnectionFactory node = RedisServers.connect("127.0.0.1", port);
        try (RedisConnection connection = node.getConnection()) {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> new String(
                                    (byte[]) connection.execute("CLUSTER", "INFO".getBytes(StandardCharsets.UTF_8)),
                                    StandardCharsets.UTF_8)
                            .contains("cluster_state:ok"));
        } finally {
            node.destroy();
        }
    }

    @AfterAll
    static void stop() throws IOException {
        connections.destroy();
        cluster.stop();
    }

    @Test
    void takesEveryStepOnWhicheverNodeAMessageLies() {
        List<MessageKey> keys = IntStream.range(0, 1000)
                .mapToObj(id -> MessageKey.of("payments", "id-" + id))
                .toList();
        MessageKeys names = new MessageKeys(RedisIdempotencyStore.DEFAULT_PREFIX, namespace);
        assertThat(keys.stream()
                        .map(key -> SlotHash.getSlot(names.of(key)) / 5462)
                        .distinct())
                .hasSize(3);
        Map<MessageKey, String> owners = new HashMap<>();
        keys.forEach(key -> owners.put(key, "owner"));

        for (MessageKey key : keys.subList(0, 500)) {
            assertThat(store.claim(key, "owner", LEASE)).isEqualTo(Claim.ACQUIRED);
        }
        assertThat(store.claimAll(keys, "owner", LEASE)).hasSize(1000).containsValues(Claim.ACQUIRED);
        assertThat(store.claimAll(keys, "another", LEASE).values()).containsOnly(Claim.HELD);
        assertThat(store.renewAll(owners, LEASE)).hasSize(1000);
        assertThat(store.completeAll(keys, "owner")).hasSize(1000);
        assertThat(store.seenAmong(keys)).hasSize(1000);
        keys.forEach(store::forget);
        assertThat(store.seenAmong(keys)).isEmpty();
        assertThat(store.rememberAll(keys)).hasSize(1000);
    }
}
