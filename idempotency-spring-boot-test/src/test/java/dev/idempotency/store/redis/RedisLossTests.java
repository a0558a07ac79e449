package dev.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.idempotency.IdempotencyMode;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.StoreUnavailableException;
import dev.idempotency.core.IdempotencyTemplate;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import redis.embedded.RedisServer;

/** K12, K13: what the documentation says of marks that Redis no longer has. */
@Timeout(60)
class RedisLossTests {

    private static final MessageKey KEY = MessageKey.of("payments", "A");

    private final List<RedisServer> servers = new ArrayList<>();
    private final List<LettuceConnectionFactory> clients = new ArrayList<>();

    private LettuceConnectionFactory start(String... settings) throws IOException {
        RedisServer server = RedisServers.start(settings);
        servers.add(server);
        LettuceConnectionFactory client =
                RedisServers.connect("127.0.0.1", server.ports().get(0));
        clients.add(client);
        return client;
    }

    private static void limit(LettuceConnectionFactory connections, String policy, String memory) {
        try (RedisConnection connection = connections.getConnection()) {
            connection.serverCommands().setConfig("maxmemory-policy", policy);
            connection.serverCommands().setConfig("maxmemory", memory);
        }
    }

    @AfterEach
    void stop() {
        clients.forEach(LettuceConnectionFactory::destroy);
        servers.forEach(RedisServers::stop);
    }

    private static RedisIdempotencyStore store(LettuceConnectionFactory connections, Duration retention) {
        return new RedisIdempotencyStore(connections, RedisIdempotencyStore.DEFAULT_PREFIX, "loss", retention);
    }

    private static boolean seen(LettuceConnectionFactory connections, MessageKey key) {
        return store(connections, Duration.ofHours(1)).seen(key);
    }

    private static IdempotencyTemplate template(LettuceConnectionFactory connections, Duration retention) {
        return IdempotencyTemplate.builder(store(connections, retention))
                .mode(IdempotencyMode.CLAIM)
                .build();
    }

    private static Outcome deliver(IdempotencyTemplate template) throws Throwable {
        return template.execute(KEY, () -> "handled").outcome();
    }

    /** What an application writes into the same server. */
    private static void write(LettuceConnectionFactory connections, int number) {
        new StringRedisTemplate(connections)
                .opsForValue()
                .set("application:" + number, "x".repeat(10_000), Duration.ofHours(1));
    }

    // O69
    @Test
    void runsAgainWhatAnEvictionPolicyForAllKeysHasDropped() throws Throwable {
        LettuceConnectionFactory connections = start();
        limit(connections, "allkeys-lru", "4mb");
        IdempotencyTemplate template = template(connections, Duration.ofHours(1));
        assertThat(deliver(template)).isEqualTo(Outcome.PROCESSED);

        // what the application writes; which key makes room is random
        AtomicInteger written = new AtomicInteger();
        await().pollInterval(Duration.ofMillis(1)).until(() -> {
            write(connections, written.incrementAndGet());
            return !seen(connections, KEY);
        });

        assertThat(deliver(template)).isEqualTo(Outcome.PROCESSED);
    }

    // O69
    @Test
    void keepsMarksWithoutEvictionAndDefersWhatIsNew() throws Throwable {
        LettuceConnectionFactory connections = start();
        IdempotencyTemplate template = template(connections, Duration.ofHours(1));
        assertThat(deliver(template)).isEqualTo(Outcome.PROCESSED);

        limit(connections, "noeviction", "1");

        assertThat(deliver(template)).isEqualTo(Outcome.DUPLICATE);
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> template.execute(MessageKey.of("payments", "B"), () -> "handled"));
    }

    // O69: the new primary never heard of the mark
    @Test
    void runsAgainAfterAFailOverToAReplicaThatLaggedBehind() throws Throwable {
        LettuceConnectionFactory primary = start();
        LettuceConnectionFactory replica = start("replicaof 127.0.0.1 " + primary.getPort());
        assertThat(template(primary, Duration.ofHours(1))
                        .execute(MessageKey.of("payments", "before"), () -> "handled")
                        .outcome())
                .isEqualTo(Outcome.PROCESSED);
        RedisIdempotencyStore promoted =
                new RedisIdempotencyStore(replica, RedisIdempotencyStore.DEFAULT_PREFIX, "loss", Duration.ofHours(1));
        await().until(() -> promoted.seen(MessageKey.of("payments", "before")));
        promote(replica);

        assertThat(deliver(template(primary, Duration.ofHours(1)))).isEqualTo(Outcome.PROCESSED);

        assertThat(template(replica, Duration.ofHours(1))
                        .execute(MessageKey.of("payments", "before"), () -> "handled")
                        .outcome())
                .isEqualTo(Outcome.DUPLICATE);
        assertThat(deliver(template(replica, Duration.ofHours(1)))).isEqualTo(Outcome.PROCESSED);
    }

    private static void promote(LettuceConnectionFactory replica) {
        try (RedisConnection connection = replica.getConnection()) {
            connection.serverCommands().replicaOfNoOne();
        }
    }

    // O71
    @Test
    void runsAgainWhatIsReplayedAfterItsRetention() throws Throwable {
        IdempotencyTemplate template = template(RedisServers.standalone(), Duration.ofSeconds(2));
        assertThat(deliver(template)).isEqualTo(Outcome.PROCESSED);
        assertThat(deliver(template)).isEqualTo(Outcome.DUPLICATE);

        await().pollDelay(Duration.ofMillis(2100)).until(() -> true);

        assertThat(deliver(template)).isEqualTo(Outcome.PROCESSED);
    }
}
