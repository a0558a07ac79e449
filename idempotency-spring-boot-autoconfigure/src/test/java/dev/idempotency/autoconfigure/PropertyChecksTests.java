package dev.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import dev.idempotency.fixture.Startup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Bad values end the start by the name of their property (O29, O81). */
@ExtendWith(OutputCaptureExtension.class)
class PropertyChecksTests {

    @ParameterizedTest
    @CsvSource({
        "retention, 0s",
        "retention, -1s",
        "retention, 59s",
        "lease, 0s",
        "lease, -30s",
        "lease, PT2000000000000000H",
        "lease-limit, 0s",
        "lease-limit, 29s",
        "later-delay, 0s",
        "later-delay, -1s",
        "in-flight-wait, -1s",
        "lease, a while",
        "mode, sometimes",
        "mode, transactional",
        "store, filing-cabinet",
        "order, first",
        "on-store-failure, ignore",
        "on-missing-id, invent",
        "message-id.json-pointer, meta.id",
        "message-id.json-pointer, /meta/~2",
        "message-id.headers, correlationId",
        "message-id.sources, trace",
        "in-memory.max-entries, 0",
        "in-memory.max-entries, -1",
        "in-memory.max-entries, many",
        "jms.later, never"
    })
    void refusesValueByTheNameOfItsProperty(String property, String value) {
        Startup.application()
                .withConfiguration(AutoConfigurations.of(IdempotencyJmsAutoConfiguration.class))
                .withPropertyValues("idempotency." + property + "=" + value)
                .run(context -> {
                    FailureAnalysis analysis = Startup.analysisOf(context);
                    assertThat(analysis.getDescription()).contains("'idempotency." + property + "'");
                });
    }

    @Test
    void refusesEmptySources() {
        Startup.application()
                .withPropertyValues("idempotency.message-id.sources=")
                .run(context -> assertThat(Startup.analysisOf(context).getDescription())
                        .contains("'idempotency.message-id.sources'"));
    }

    @Test
    void saysWhichLeaseTheRetentionIsTooShortFor() {
        Startup.application()
                .withPropertyValues("idempotency.lease=10m", "idempotency.retention=19m")
                .run(context -> assertThat(Startup.analysisOf(context).getDescription())
                        .contains("idempotency.retention")
                        .contains("It must be at least twice 'idempotency.lease', which is PT10M."));
    }

    @Test
    void saysWhichLeaseTheLimitIsTooShortFor() {
        Startup.application()
                .withPropertyValues("idempotency.lease=2h")
                .run(context -> assertThat(Startup.analysisOf(context).getDescription())
                        .contains("idempotency.lease-limit")
                        .contains("It must not be shorter than 'idempotency.lease', which is PT2H."));
    }

    @Test
    void saysWhichStoresThereAre() {
        Startup.application()
                .withPropertyValues("idempotency.store=elsewhere")
                .run(context -> assertThat(Startup.analysisOf(context).getDescription()
                                + Startup.analysisOf(context).getAction())
                        .contains("idempotency.store", "elsewhere", "IN_MEMORY", "REDIS"));
    }

    // not by an invalid value 'null', which nobody has set
    @ParameterizedTest
    @CsvSource({
        "redis, idempotency.namespace, 'spring.application.name'",
        "jdbc, idempotency.jdbc.data-source, DataSource bean"
    })
    void saysThatPropertyIsNotSet(String store, String property, String cure) {
        Startup.application()
                .withBean(RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class))
                .withPropertyValues("idempotency.store=" + store)
                .run(context -> assertThat(Startup.analysisOf(context).getDescription())
                        .startsWith("Configuration property '" + property + "' is not set")
                        .contains(cure)
                        .doesNotContain("null"));
    }

    @ParameterizedTest
    @CsvSource({"in-memory", "IN_MEMORY", "inMemory", "in_memory"})
    void takesStoreInAnySpelling(String spelling) {
        Startup.application()
                .withPropertyValues("idempotency.store=" + spelling)
                .run(context -> assertThat(context).hasNotFailed().hasBean("inMemoryIdempotencyStore"));
    }

    @Test
    void takesEmptyValueForNone(CapturedOutput output) {
        Startup.application()
                .withPropertyValues("idempotency.store=", "idempotency.mode=", "idempotency.retention=")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).containsOnlyOnce("Set 'idempotency.store'");
    }

    @Test
    void takesShortestAndLongestValues() {
        Startup.application()
                .withPropertyValues(
                        "idempotency.lease=1ms",
                        "idempotency.retention=2ms",
                        "idempotency.in-flight-wait=0s",
                        "idempotency.in-memory.max-entries=1")
                .run(context -> assertThat(context).hasNotFailed());
        Startup.application()
                .withPropertyValues(
                        "idempotency.retention=100000d", "idempotency.lease=50000d", "idempotency.lease-limit=50000d")
                .run(context -> assertThat(context).hasNotFailed());
    }
}
