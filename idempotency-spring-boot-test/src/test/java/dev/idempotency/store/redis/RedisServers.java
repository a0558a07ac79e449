package dev.idempotency.store.redis;

import java.io.IOException;
import java.net.ServerSocket;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.embedded.Redis;
import redis.embedded.RedisServer;
import redis.embedded.core.RedisServerBuilder;

/** Servers of the tests' own, for as long as their JVM lives. */
final class RedisServers {

    private RedisServers() {}

    static LettuceConnectionFactory standalone() {
        return Standalone.CONNECTIONS;
    }

    static LettuceConnectionFactory cluster() {
        return RedisCluster.CONNECTIONS;
    }

    /** Starts a server that its caller stops. */
    static RedisServer start(String... settings) throws IOException {
        return start(freePort(), settings);
    }

    static RedisServer start(int port, String... settings) throws IOException {
        RedisServerBuilder builder = RedisServer.newRedisServer()
                .port(port)
                .setting("bind 127.0.0.1")
                .setting("save \"\"");
        for (String setting : settings) {
            builder.setting(setting);
        }
        RedisServer server = builder.build();
        server.start();
        return server;
    }

    static LettuceConnectionFactory connect(String host, int port) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(host, port);
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    static void stop(Redis server) {
        try {
            server.stop();
        } catch (IOException ex) {
            throw new IllegalStateException("Redis did not stop", ex);
        }
    }

    /** Started by the first who asks for it: a process that is killed could not stop it. */
    private static final class Standalone {

        static final LettuceConnectionFactory CONNECTIONS = connectToNew();

        private static LettuceConnectionFactory connectToNew() {
            try {
                RedisServer server = RedisServers.start();
                Runtime.getRuntime().addShutdownHook(new Thread(() -> RedisServers.stop(server)));
                return connect("127.0.0.1", server.ports().get(0));
            } catch (IOException ex) {
                throw new IllegalStateException("Redis did not start", ex);
            }
        }
    }
}
