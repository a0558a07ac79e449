package dev.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.idempotency.Claim;
import dev.idempotency.IdempotencyMode;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.StoreUnavailableException;
import dev.idempotency.core.IdempotencyTemplate;
import dev.idempotency.test.FaultyNetwork;
import dev.idempotency.test.RecordingListener;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** K12 and K2: answers of Redis that are lost, late or never come, on a real connection of Lettuce (O30, O70). */
@Timeout(60)
class RedisOutageTests {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);
    private static final MessageKey KEY = MessageKey.of("payments", "A");

    private final String namespace = "test-" + UUID.randomUUID();
    private FaultyNetwork network;
    private LettuceConnectionFactory connections;
    private RedisIdempotencyStore store;

    @BeforeEach
    void connect() throws IOException {
        network = FaultyNetwork.to("127.0.0.1", RedisServers.standalone().getPort());
        connections = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", network.port()),
                LettuceClientConfiguration.builder()
                        .commandTimeout(COMMAND_TIMEOUT)
                        .build());
        connections.afterPropertiesSet();
        connections.start();
        store = store(connections);
        // connected, and the scripts are known to the server
        store.claim(MessageKey.of("payments", "first"), "owner", LEASE);
        store.complete(MessageKey.of("payments", "first"), "owner");
    }

    @AfterEach
    void disconnect() {
        connections.destroy();
        network.close();
    }

    private RedisIdempotencyStore store(LettuceConnectionFactory over) {
        return new RedisIdempotencyStore(over, RedisIdempotencyStore.DEFAULT_PREFIX, namespace, Duration.ofMinutes(10));
    }

    @Test
    void recognisesItsClaimWhoseAnswerWasLost() {
        network.cutBeforeAnswer("EVALSHA");

        assertThat(store.claim(KEY, "owner", LEASE)).isEqualTo(Claim.ACQUIRED);

        assertThat(network.cuts()).isOne();
        assertThat(store.claim(KEY, "another", LEASE)).isEqualTo(Claim.HELD);
    }

    @Test
    void recognisesItsMarkWhoseAnswerWasLost() {
        store.claim(KEY, "owner", LEASE);
        network.cutBeforeAnswer("EVALSHA");

        assertThat(store.complete(KEY, "owner")).isTrue();

        assertThat(network.cuts()).isOne();
        assertThat(store.seen(KEY)).isTrue();
    }

    @Test
    void claimsOnceWhatNeverReachedTheServer() {
        network.cutBeforeRequest("EVALSHA");

        assertThat(store.claim(KEY, "owner", LEASE)).isEqualTo(Claim.ACQUIRED);

        assertThat(network.cuts()).isOne();
    }

    // as after a restart or a fail-over
    @Test
    void asksAServerThatDoesNotKnowItsScripts() {
        try (RedisConnection connection = connections.getConnection()) {
            connection.scriptingCommands().scriptFlush();
        }

        assertThat(store.claim(KEY, "owner", LEASE)).isEqualTo(Claim.ACQUIRED);
    }

    // the handler is not called, and the consumer is free again after the command time-out
    @Test
    void defersWithinTheCommandTimeOutWhileRedisIsSilent() {
        RecordingListener guarding = new RecordingListener();
        IdempotencyTemplate template = IdempotencyTemplate.builder(store)
                .mode(IdempotencyMode.CLAIM)
                .listener(guarding)
                .build();
        network.blackHole(true);
        long started = System.nanoTime();

        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> template.execute(KEY, () -> {
                    throw new AssertionError("called");
                }));

        assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(COMMAND_TIMEOUT.plusSeconds(2));
        network.blackHole(false);
        network.cut();
        await().atMost(Duration.ofSeconds(20)).until(() -> isHandled(template));
        assertThat(guarding.outcomes()).startsWith(Outcome.DEFERRED).endsWith(Outcome.PROCESSED);
    }

    private static boolean isHandled(IdempotencyTemplate template) {
        try {
            template.execute(KEY, () -> "handled");
            return true;
        } catch (StoreUnavailableException ex) {
            return false;
        } catch (Throwable ex) {
            throw new AssertionError(ex);
        }
    }

    // O70
    @Test
    void settlesWhatCannotBeMarkedAndMarksItLater() throws Throwable {
        RecordingListener guarding = new RecordingListener();
        IdempotencyTemplate template = IdempotencyTemplate.builder(store)
                .mode(IdempotencyMode.CLAIM)
                .listener(guarding)
                .build();
        long[] ended = {0};

        template.execute(KEY, () -> {
            network.blackHole(true);
            ended[0] = System.nanoTime();
            return "handled";
        });

        assertThat(Duration.ofNanos(System.nanoTime() - ended[0]))
                .isLessThan(COMMAND_TIMEOUT.multipliedBy(2).plusSeconds(2));
        assertThat(guarding.outcomes()).isEqualTo(List.of(Outcome.UNMARKED));
        assertThat(store(RedisServers.standalone()).claim(KEY, "another", LEASE))
                .isEqualTo(Claim.HELD);
        network.blackHole(false);
        network.cut();
        await().atMost(Duration.ofSeconds(25))
                .until(() -> store(RedisServers.standalone()).seen(KEY));
    }
}
