package dev.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.idempotency.IdempotencyMode;
import dev.idempotency.MessageDeferredException;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.StoreFailurePolicy;
import dev.idempotency.StoreUnavailableException;
import dev.idempotency.core.IdempotencyTemplate;
import dev.idempotency.store.redis.FailingRedis.Outage;
import dev.idempotency.test.RecordingListener;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * K12: a Redis that is stopped, stands still, is full, cannot be written to or answers late. Nobody is kept longer than
 * the client's command time-out and two seconds, and all goes on as soon as it is back. O70
 */
@Timeout(90)
class RedisServerOutageTests {

    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration LONGEST = COMMAND_TIMEOUT.plusSeconds(2);
    private static final MessageKey KEY = MessageKey.of("payments", "A");

    @TempDir
    private Path directory;

    private final RecordingListener guarding = new RecordingListener();
    private FailingRedis redis;
    private LettuceConnectionFactory connections;
    private RedisIdempotencyStore store;

    @BeforeEach
    void start() throws IOException {
        redis = FailingRedis.start(directory);
        connections = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", redis.port()),
                LettuceClientConfiguration.builder()
                        .commandTimeout(COMMAND_TIMEOUT)
                        .build());
        connections.afterPropertiesSet();
        connections.start();
        store = new RedisIdempotencyStore(
                connections, RedisIdempotencyStore.DEFAULT_PREFIX, "test-" + UUID.randomUUID(), Duration.ofHours(1));
        store.seen(KEY);
    }

    @AfterEach
    void stop() {
        connections.destroy();
        redis.close();
    }

    private IdempotencyTemplate template(StoreFailurePolicy policy) {
        return IdempotencyTemplate.builder(store)
                .mode(IdempotencyMode.CLAIM)
                .onStoreFailure(policy)
                .listener(guarding)
                .build();
    }

    @ParameterizedTest
    @EnumSource
    void defersAMessageAndHandlesItAfterwards(Outage outage) throws Exception {
        IdempotencyTemplate template = template(StoreFailurePolicy.DEFER);
        redis.begin(outage);

        long asked = System.nanoTime();
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> template.execute(KEY, () -> {
                    throw new AssertionError("called");
                }));
        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(LONGEST);

        redis.end(outage);
        // long before the lease of a claim ends whose answer was late
        await().atMost(Duration.ofSeconds(20)).until(() -> deliver(template) == Outcome.PROCESSED);
        assertThat(guarding.outcomes()).startsWith(Outcome.DEFERRED).endsWith(Outcome.PROCESSED);
        assertThat(store.seen(KEY)).isTrue();
    }

    private static Outcome deliver(IdempotencyTemplate template) {
        try {
            return template.execute(KEY, () -> "handled").outcome();
        } catch (MessageDeferredException ex) {
            return Outcome.DEFERRED;
        } catch (Throwable ex) {
            throw new AssertionError(ex);
        }
    }

    @ParameterizedTest
    @EnumSource
    void runsUnguardedWhereThePolicySaysSo(Outage outage) throws Throwable {
        IdempotencyTemplate template = template(StoreFailurePolicy.PROCESS);
        redis.begin(outage);

        long asked = System.nanoTime();
        assertThat(template.execute(KEY, () -> "handled").value()).isEqualTo("handled");
        // one time-out for the claim, one for the mark
        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(LONGEST.plus(COMMAND_TIMEOUT));

        assertThat(guarding.outcomes()).containsExactly(Outcome.UNGUARDED);
        redis.end(outage);
    }

    @ParameterizedTest
    @EnumSource
    void settlesWhatHasSucceededAndMarksItAfterwards(Outage outage) throws Throwable {
        IdempotencyTemplate template = template(StoreFailurePolicy.DEFER);
        long[] succeeded = {0};

        template.execute(KEY, () -> {
            redis.begin(outage);
            succeeded[0] = System.nanoTime();
            return "handled";
        });

        assertThat(Duration.ofNanos(System.nanoTime() - succeeded[0])).isLessThan(LONGEST.plus(COMMAND_TIMEOUT));
        assertThat(guarding.outcomes()).containsExactly(Outcome.UNMARKED);
        redis.end(outage);
        await().atMost(Duration.ofSeconds(20)).until(() -> deliver(template) == Outcome.DUPLICATE);
    }
}
