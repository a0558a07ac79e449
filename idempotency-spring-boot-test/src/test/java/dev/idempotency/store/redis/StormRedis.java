package dev.idempotency.store.redis;

import dev.idempotency.IdempotencyStore;
import java.io.IOException;
import java.time.Duration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.embedded.RedisServer;

/** A Redis of a storm's own, which other processes connect to. */
public final class StormRedis implements AutoCloseable {

    private final RedisServer server;
    private final LettuceConnectionFactory connections;

    private StormRedis(RedisServer server, LettuceConnectionFactory connections) {
        this.server = server;
        this.connections = connections;
    }

    public static StormRedis start() throws IOException {
        RedisServer server = RedisServers.start();
        return new StormRedis(
                server, RedisServers.connect("127.0.0.1", server.ports().get(0)));
    }

    public int port() {
        return server.ports().get(0);
    }

    /** Returns the store of a namespace. */
    public IdempotencyStore store(String namespace) {
        return new RedisIdempotencyStore(
                connections, RedisIdempotencyStore.DEFAULT_PREFIX, namespace, Duration.ofDays(7));
    }

    @Override
    public void close() {
        connections.destroy();
        RedisServers.stop(server);
    }
}
