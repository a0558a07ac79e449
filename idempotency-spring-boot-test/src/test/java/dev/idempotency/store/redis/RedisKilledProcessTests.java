package dev.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.idempotency.IdempotencyMode;
import dev.idempotency.MessageInFlightException;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.core.IdempotencyTemplate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** K2: a process that is killed while its handler is in work leaves a claim behind, for as long as its lease. */
@Timeout(120)
class RedisKilledProcessTests {

    private static final String NAMESPACE = "killed-" + UUID.randomUUID();

    @TempDir
    private Path directory;

    private final IdempotencyTemplate template = IdempotencyTemplate.builder(new RedisIdempotencyStore(
                    RedisServers.standalone(), RedisIdempotencyStore.DEFAULT_PREFIX, NAMESPACE, Duration.ofDays(1)))
            .mode(IdempotencyMode.CLAIM)
            .inFlightWait(Duration.ZERO)
            .build();

    // O30
    @Test
    void runsAgainWhenTheLeaseHasEndedAndNotBefore() throws Throwable {
        MessageKey key = MessageKey.of(AbandonedClaim.CONSUMER, "A");
        killInWork(key, Duration.ofSeconds(5));

        assertThatExceptionOfType(MessageInFlightException.class)
                .isThrownBy(() -> template.execute(key, () -> "handled"));

        await().atMost(Duration.ofSeconds(30))
                .ignoreException(MessageInFlightException.class)
                .until(() -> outcome(key) == Outcome.PROCESSED);
        assertThat(template.execute(key, () -> "handled").outcome()).isEqualTo(Outcome.DUPLICATE);
    }

    // O31
    @Test
    void isHeldForALongLeaseIfThatIsWanted() throws Exception {
        MessageKey key = MessageKey.of(AbandonedClaim.CONSUMER, "B");
        killInWork(key, Duration.ofHours(1));

        await().during(Duration.ofSeconds(6))
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThatExceptionOfType(MessageInFlightException.class)
                        .isThrownBy(() -> template.execute(key, () -> "handled")));
    }

    private Outcome outcome(MessageKey key) {
        try {
            return template.execute(key, () -> "handled").outcome();
        } catch (RuntimeException ex) {
            throw ex;
        } catch (Throwable ex) {
            throw new AssertionError(ex);
        }
    }

    private void killInWork(MessageKey key, Duration lease) throws Exception {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        AbandonedClaim.class.getName(),
                        "" + RedisServers.standalone().getPort(),
                        NAMESPACE,
                        key.messageId(),
                        lease.toString()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            await().atMost(Duration.ofSeconds(60))
                    .failFast(() -> !process.isAlive())
                    .until(() -> Files.readString(output).contains(AbandonedClaim.BEGUN));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
