package dev.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.Claim;
import dev.idempotency.IdempotencyMode;
import dev.idempotency.MessageDeferredException;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.StoreFailurePolicy;
import dev.idempotency.core.IdempotencyTemplate;
import dev.idempotency.core.IdempotencyTemplateBuilder;
import dev.idempotency.test.FaultyNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import redis.embedded.RedisServer;

/** K12: what keeps leases from being renewed, and claims from being ended, though Redis is well. */
@Timeout(90)
class RedisLeaseTests {

    private static final MessageKey KEY = MessageKey.of("payments", "A");
    private static final Duration LEASE = Duration.ofSeconds(5);

    private final String namespace = "test-" + UUID.randomUUID();
    private FaultyNetwork network;
    private LettuceConnectionFactory connections;

    @BeforeEach
    void connect() throws IOException {
        network = FaultyNetwork.to("127.0.0.1", RedisServers.standalone().getPort());
        connections = connect(network.port());
    }

    private static LettuceConnectionFactory connect(int port) {
        LettuceConnectionFactory connections = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", port),
                LettuceClientConfiguration.builder()
                        .commandTimeout(Duration.ofSeconds(1))
                        .build());
        connections.afterPropertiesSet();
        connections.start();
        return connections;
    }

    @AfterEach
    void disconnect() {
        connections.destroy();
        network.close();
    }

    private RedisIdempotencyStore store(LettuceConnectionFactory over) {
        return new RedisIdempotencyStore(over, RedisIdempotencyStore.DEFAULT_PREFIX, namespace, Duration.ofHours(1));
    }

    private IdempotencyTemplateBuilder template(LettuceConnectionFactory over) {
        return IdempotencyTemplate.builder(store(over))
                .mode(IdempotencyMode.CLAIM)
                .lease(LEASE)
                .inFlightWait(Duration.ZERO);
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

    private static long connectionsMade(LettuceConnectionFactory server) {
        try (RedisConnection connection = server.getConnection()) {
            return Long.parseLong(connection.serverCommands().info("stats").getProperty("total_connections_received"));
        }
    }

    // one that is made for them might not be had: no more clients allowed, a pool used up, another password by now
    @Test
    void renewsOnTheConnectionThatIsThere() {
        RedisIdempotencyStore store = store(connections);
        store.claim(KEY, "owner", LEASE);
        long before = connectionsMade(connections);

        for (int i = 0; i < 5; i++) {
            assertThat(store.renewAll(Map.of(KEY, "owner"), LEASE)).containsExactly(KEY);
        }

        assertThat(connectionsMade(connections)).isEqualTo(before);
    }

    @Test
    void keepsAClaimWhileRedisTakesNoMoreClients() throws Throwable {
        RedisServer server = RedisServers.start();
        LettuceConnectionFactory own = connect(server.ports().get(0));
        try {
            IdempotencyTemplate template =
                    template(own).lease(Duration.ofSeconds(1)).build();
            template.execute(KEY, () -> {
                try (RedisConnection connection = own.getConnection()) {
                    connection.serverCommands().setConfig("maxclients", "1");
                }
                await().during(Duration.ofSeconds(3))
                        .atMost(Duration.ofSeconds(5))
                        .until(() -> store(own).claim(KEY, "copy", LEASE) == Claim.HELD);
                return "handled";
            });
        } finally {
            own.destroy();
            server.stop();
        }
    }

    // a hundred claims that an outage has left, on a Redis that is far away
    @Test
    void renewsWhileItEndsWhatAnOutageHasLeft() throws Throwable {
        IdempotencyTemplate template = template(connections).build();
        assertThat(deliver(template, MessageKey.of("payments", "first"))).isEqualTo(Outcome.PROCESSED);
        network.blackHole(true);
        deferMany(template, 100);
        network.delayAnswers(Duration.ofMillis(80));
        network.blackHole(false);
        network.cut();

        await().atMost(Duration.ofSeconds(20)).until(() -> isKeptFor(template, Duration.ofSeconds(8)));
    }

    /** Returns false if the message was given back; fails if a copy could have run meanwhile. */
    private boolean isKeptFor(IdempotencyTemplate template, Duration work) {
        RedisIdempotencyStore direct = store(RedisServers.standalone());
        try {
            template.execute(KEY, () -> {
                await().during(work)
                        .atMost(work.plusSeconds(5))
                        .until(() -> direct.claim(KEY, "copy", LEASE) == Claim.HELD);
                return "handled";
            });
            return true;
        } catch (MessageDeferredException ex) {
            return false;
        } catch (Throwable ex) {
            throw new AssertionError(ex);
        }
    }

    private static void deferMany(IdempotencyTemplate template, int count) throws InterruptedException {
        ExecutorService consumers = Executors.newFixedThreadPool(count);
        CountDownLatch deferred = new CountDownLatch(count);
        IntStream.range(0, count)
                .forEach(i -> consumers.execute(() -> {
                    if (deliver(template, MessageKey.of("payments", "id-" + i)) == Outcome.DEFERRED) {
                        deferred.countDown();
                    }
                }));
        deferred.await();
        consumers.shutdown();
    }

    // as those of one part of a cluster that is out
    @Test
    void marksBesideKeysThatFailAgainAndAgain() throws Throwable {
        IdempotencyTemplate template =
                template(connections).lease(Duration.ofSeconds(30)).build();
        StringRedisTemplate redis = new StringRedisTemplate(RedisServers.standalone());
        for (int i = 0; i < 12; i++) {
            redis.opsForHash().put("idempotency:" + namespace + ":payments:broken-" + i, "another", "type");
            assertThat(deliver(template, MessageKey.of("payments", "broken-" + i)))
                    .isEqualTo(Outcome.DEFERRED);
        }

        template.execute(KEY, () -> {
            network.blackHole(true);
            return "handled";
        });
        network.blackHole(false);
        network.cut();

        await().atMost(Duration.ofSeconds(8))
                .until(() -> store(RedisServers.standalone()).seen(KEY));
    }

    // it was claimed all the same, and nobody would end that claim
    @Test
    void marksAnUnguardedRunOnceRedisAnswers() throws Throwable {
        IdempotencyTemplate template = template(connections)
                .lease(Duration.ofSeconds(30))
                .onStoreFailure(StoreFailurePolicy.PROCESS)
                .build();
        assertThat(deliver(template, MessageKey.of("payments", "first"))).isEqualTo(Outcome.PROCESSED);
        network.delayAnswers(Duration.ofMillis(1500));

        template.execute(KEY, () -> {
            network.blackHole(true);
            return "handled";
        });
        network.delayAnswers(Duration.ZERO);
        network.blackHole(false);
        network.cut();

        await().atMost(Duration.ofSeconds(10))
                .until(() -> store(RedisServers.standalone()).seen(KEY));
    }

    @Test
    void knowsOfOtherRenewalsThoughOneFails() {
        RedisIdempotencyStore store = store(connections);
        MessageKey broken = MessageKey.of("payments", "broken");
        MessageKey lost = MessageKey.of("payments", "lost");
        new StringRedisTemplate(RedisServers.standalone())
                .opsForHash()
                .put("idempotency:" + namespace + ":payments:broken", "another", "type");
        store.claim(KEY, "owner", LEASE);

        assertThat(store.renewAll(Map.of(broken, "owner", KEY, "owner", lost, "owner"), LEASE))
                .containsExactlyInAnyOrder(KEY, broken);
    }
}
