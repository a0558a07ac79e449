package dev.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.MessageKey;
import java.io.IOException;
import java.net.ServerSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import redis.embedded.RedisServer;

/** The profile for several instances: what one has handled the other has seen. */
class SharedInRedisTests {

    private static final MessageKey KEY = MessageKey.of("payments", "A");

    private static RedisServer redis;

    @BeforeAll
    static void start() throws IOException {
        redis = RedisServer.newRedisServer()
                .port(freePort())
                .setting("bind 127.0.0.1")
                .setting("save \"\"")
                .build();
        redis.start();
    }

    @AfterAll
    static void stop() throws IOException {
        redis.stop();
    }

    @Test
    void sharesWhatItHasHandledWithOtherInstances() {
        try (ConfigurableApplicationContext one = instance();
                ConfigurableApplicationContext other = instance()) {
            assertThat(one.getBean(IdempotencyStore.class).remember(KEY)).isTrue();
            assertThat(other.getBean(IdempotencyStore.class).seen(KEY)).isTrue();
        }
    }

    private static ConfigurableApplicationContext instance() {
        return SpringApplication.run(
                SampleApplication.class,
                "--server.port=0",
                "--spring.profiles.active=redis",
                "--spring.data.redis.port=" + redis.ports().get(0),
                "--spring.artemis.embedded.server-id=" + System.nanoTime() % 100_000);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
