package dev.idempotency.store.redis;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.ReadFrom;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.embedded.RedisServer;
import redis.embedded.RedisShardedCluster;

/** A cluster of three nodes, for as long as the JVM lives, and a client that prefers replicas for reading. */
final class RedisCluster {

    static final LettuceConnectionFactory CONNECTIONS = start();

    private RedisCluster() {}

    private static LettuceConnectionFactory start() {
        try {
            RedisShardedCluster cluster = RedisShardedCluster.newRedisCluster()
                    .withServerBuilder(RedisServer.newRedisServer()
                            .setting("bind 127.0.0.1")
                            .setting("save \"\""))
                    .ephemeral()
                    .shard("a", 0)
                    .shard("b", 0)
                    .shard("c", 0)
                    .build();
            cluster.start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> RedisServers.stop(cluster)));
            cluster.ports().forEach(RedisCluster::awaitUp);
            return connect(cluster);
        } catch (IOException ex) {
            throw new IllegalStateException("Redis Cluster did not start", ex);
        }
    }

    private static LettuceConnectionFactory connect(RedisShardedCluster cluster) {
        LettuceConnectionFactory connections = new LettuceConnectionFactory(
                new RedisClusterConfiguration(cluster.ports().stream()
                        .map(port -> "127.0.0.1:" + port)
                        .toList()),
                LettuceClientConfiguration.builder()
                        .readFrom(ReadFrom.REPLICA_PREFERRED)
                        .build());
        connections.afterPropertiesSet();
        connections.start();
        return connections;
    }

    // Each node learns by itself that all slots are served; before that it answers CLUSTERDOWN.
    private static void awaitUp(int port) {
        LettuceConnectionFactory node = RedisServers.connect("127.0.0.1", port);
        try (RedisConnection connection = node.getConnection()) {
            // in the thread that initializes this class: another one would wait for that
            await().pollInSameThread()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> new String(
                                    (byte[]) connection.execute("CLUSTER", "INFO".getBytes(StandardCharsets.UTF_8)),
                                    StandardCharsets.UTF_8)
                            .contains("cluster_state:ok"));
        } finally {
            node.destroy();
        }
    }
}
