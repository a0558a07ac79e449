package dev.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.idempotency.Claim;
import dev.idempotency.MessageKey;
import dev.idempotency.test.FaultyNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** K12: a Redis that is silent when the first message comes, and the client shares one connection between all threads. */
@Timeout(60)
class RedisFirstConnectionTests {

    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);
    private static final int CALLERS = 8;

    private final ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    private FaultyNetwork network;
    private LettuceConnectionFactory connections;
    private RedisIdempotencyStore store;

    @BeforeEach
    void start() throws IOException {
        network = FaultyNetwork.to("127.0.0.1", RedisServers.standalone().getPort());
        connections = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", network.port()),
                LettuceClientConfiguration.builder()
                        .commandTimeout(COMMAND_TIMEOUT)
                        .build());
        connections.afterPropertiesSet();
        connections.start();
        store = new RedisIdempotencyStore(
                connections, RedisIdempotencyStore.DEFAULT_PREFIX, "test-" + UUID.randomUUID(), Duration.ofMinutes(1));
    }

    @AfterEach
    void stop() {
        callers.shutdownNow();
        connections.destroy();
        network.close();
    }

    // the client connects once for all of them, so that each would wait for all before it
    @Test
    void keepsNoCallerLongerThanOneConnectionTakes() throws Exception {
        network.blackHole(true);

        List<Future<Duration>> waits = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            waits.add(callers.submit(this::failingClaim));
        }
        for (Future<Duration> wait : waits) {
            assertThat(wait.get()).isLessThan(COMMAND_TIMEOUT.plusSeconds(2));
        }

        network.blackHole(false);
        network.cut();
        await().atMost(Duration.ofSeconds(20))
                .ignoreExceptions()
                .until(() -> store.claim(key(), "owner", Duration.ofSeconds(5)) == Claim.ACQUIRED);
    }

    private Duration failingClaim() {
        long started = System.nanoTime();
        assertThatExceptionOfType(RedisConnectionFailureException.class)
                .isThrownBy(() -> store.claim(key(), "owner", Duration.ofSeconds(5)));
        return Duration.ofNanos(System.nanoTime() - started);
    }

    private static MessageKey key() {
        return MessageKey.of("payments", UUID.randomUUID().toString());
    }

    @Test
    void letsAllCallersInAtOnce() throws Exception {
        List<Callable<Claim>> claims = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            claims.add(() -> store.claim(key(), "owner", Duration.ofSeconds(5)));
        }
        for (Future<Claim> claim : callers.invokeAll(claims)) {
            assertThat(claim.get()).isEqualTo(Claim.ACQUIRED);
        }
    }
}
