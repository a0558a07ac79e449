package dev.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** K12: a client that would wait for Redis for ever, or nearly so, is told of at the start. */
@ExtendWith(OutputCaptureExtension.class)
class RedisTimeoutWarningTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class, DataRedisAutoConfiguration.class, IdempotencyAutoConfiguration.class))
            .withPropertyValues("idempotency.store=redis", "spring.application.name=test");

    @Test
    void warnsWhereNobodyHasSetThem(CapturedOutput output) {
        application.run(context -> assertThat(output)
                .contains("A silent Redis keeps each message waiting: PT1M for an answer, PT10S for a connection")
                .contains("'spring.data.redis.timeout' and 'spring.data.redis.connect-timeout' where Boot makes"));
    }

    @ParameterizedTest
    @CsvSource({
        "2s, 2s, 30s, false",
        "2s, 10s, 30s, true",
        "5s, 2s, 5s, true",
        "60s, 2s, 5m, false",
        "10s, 2s, 30s, false",
        "11s, 2s, 30s, true"
    })
    void comparesThemWithTheLease(String timeout, String connect, String lease, boolean warned, CapturedOutput output) {
        application
                .withPropertyValues(
                        "spring.data.redis.timeout=" + timeout,
                        "spring.data.redis.connect-timeout=" + connect,
                        "idempotency.lease=" + lease)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output.getAll().contains("A silent Redis")).isEqualTo(warned);
                });
    }
}
