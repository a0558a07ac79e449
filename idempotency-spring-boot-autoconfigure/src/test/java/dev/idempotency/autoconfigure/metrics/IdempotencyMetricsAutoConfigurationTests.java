package dev.idempotency.autoconfigure.metrics;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Idempotent;
import dev.idempotency.MessageOutcome;
import dev.idempotency.Outcome;
import dev.idempotency.core.IdempotencyTemplate;
import dev.idempotency.store.jdbc.JdbcCleanup;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Kind K15: meters are there, complete from the start, bounded, and never felt (O78, O79). */
class IdempotencyMetricsAutoConfigurationTests {

    private final ApplicationContextRunner guarded = application()
            .withConfiguration(AutoConfigurations.of(IdempotencyMetricsAutoConfiguration.class))
            .withBean(Listener.class)
            .withBean(Other.class);

    private final ApplicationContextRunner withOwnRegistry = guarded.withBean(SimpleMeterRegistry.class);

    @Test
    void showsAllOutcomesOfAllConsumersAtZeroFromTheStart() {
        withOwnRegistry.run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            for (String consumer : List.of("Listener.on", "other")) {
                for (Outcome outcome : Outcome.values()) {
                    assertThat(registry.get("idempotency.messages")
                                    .tags("consumer", consumer, "outcome", outcome.label())
                                    .counter()
                                    .count())
                            .isZero();
                }
                assertThat(count(registry, "idempotency.dedupe.hits", consumer)).isZero();
                assertThat(count(registry, "idempotency.skips", consumer)).isZero();
            }
        });
    }

    @Test
    void countsEachCallOnce() {
        withOwnRegistry.run(context -> {
            Listener listener = context.getBean(Listener.class);
            listener.on(message("1"));
            listener.on(message("1"));
            listener.on(message("1"));
            listener.on(Map.of());
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(outcomes(registry, "Listener.on"))
                    .isEqualTo(Map.of("processed", 1.0, "duplicate", 2.0, "unidentified", 1.0));
            assertThat(outcomes(registry, "other")).isEmpty();
            assertThat(count(registry, "idempotency.dedupe.hits", "Listener.on"))
                    .isEqualTo(2);
            assertThat(count(registry, "idempotency.skips", "Listener.on")).isEqualTo(2);
            assertThat(registry.get("idempotency.store.entries")
                            .tag("store", "inMemoryIdempotencyStore")
                            .gauge()
                            .value())
                    .isEqualTo(1);
            assertThat(registry.get("idempotency.store.operations")
                            .tags("store", "inMemoryIdempotencyStore", "operation", "claim", "result", "seen")
                            .timer()
                            .count())
                    .isEqualTo(2);
        });
    }

    @Test
    void showsWhatTheCleanupOfADatabaseDoes() {
        withOwnRegistry
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class))
                .withPropertyValues(
                        "idempotency.store=jdbc",
                        "spring.application.name=shop",
                        "spring.datasource.generate-unique-name=true")
                .run(context -> {
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    TimeGauge sinceSuccess = registry.get("idempotency.store.cleanup.success.age")
                            .timeGauge();
                    assertThat(sinceSuccess.value()).isNaN();
                    context.getBean(JdbcCleanup.class).run();
                    assertThat(sinceSuccess.value(TimeUnit.SECONDS)).isBetween(0.0, 60.0);
                    assertThat(registry.get("idempotency.store.cleanup")
                                    .functionTimer()
                                    .count())
                            .isEqualTo(1);
                    assertThat(registry.get("idempotency.store.cleanup.rows")
                                    .functionCounter()
                                    .count())
                            .isZero();
                    assertThat(registry.get("idempotency.store.cleanup.expired.age")
                                    .timeGauge()
                                    .value())
                            .isZero();
                });
    }

    @ParameterizedTest
    @EnumSource
    void countsHitsAndSkipsByTheirOutcomes(Outcome outcome) {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        IdempotencyMetrics metrics = new IdempotencyMetrics(() -> registry);
        metrics.onOutcome(new MessageOutcome("c", "1", outcome, Duration.ZERO));
        Set<Outcome> hits = Set.of(Outcome.DUPLICATE, Outcome.OBSERVED, Outcome.REPLAYED, Outcome.REPLAY_SKIPPED);
        Set<Outcome> skips = Set.of(Outcome.DUPLICATE, Outcome.REPLAY_SKIPPED);
        assertThat(outcomes(registry, "c")).isEqualTo(Map.of(outcome.label(), 1.0));
        assertThat(count(registry, "idempotency.dedupe.hits", "c")).isEqualTo(hits.contains(outcome) ? 1 : 0);
        assertThat(count(registry, "idempotency.skips", "c")).isEqualTo(skips.contains(outcome) ? 1 : 0);
    }

    @Test
    void keepsTagKeysAndNumberOfMetersConstantOverManyIds() {
        withOwnRegistry.run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            Listener listener = context.getBean(Listener.class);
            listener.on(message("first"));
            listener.on(message("first"));
            int meters = registry.getMeters().size();
            for (int i = 0; i < 2_000; i++) {
                listener.on(message("id-" + i));
            }
            assertThat(registry.getMeters()).hasSize(meters);
            Map<String, Set<List<String>>> keys = registry.getMeters().stream()
                    .map(Meter::getId)
                    .collect(Collectors.groupingBy(
                            Meter.Id::getName,
                            Collectors.mapping(
                                    id -> id.getTags().stream().map(Tag::getKey).toList(), Collectors.toSet())));
            assertThat(keys)
                    .isEqualTo(Map.of(
                            "idempotency.messages", Set.of(List.of("consumer", "outcome")),
                            "idempotency.dedupe.hits", Set.of(List.of("consumer")),
                            "idempotency.skips", Set.of(List.of("consumer")),
                            "idempotency.store.operations", Set.of(List.of("operation", "result", "store")),
                            "idempotency.store.entries", Set.of(List.of("store"))));
        });
    }

    @Test
    void findsTheRegistryThatBootDefines() {
        guarded.withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class,
                        CompositeMeterRegistryAutoConfiguration.class,
                        SimpleMetricsExportAutoConfiguration.class))
                .run(context -> assertThat(outcomeMeters(context.getBean(MeterRegistry.class)))
                        .isEqualTo(2 * Outcome.values().length));
    }

    @Test
    void feedsSeveralRegistriesOfWhichNoneIsPrimary() {
        guarded.withBean("one", SimpleMeterRegistry.class)
                .withBean("two", SimpleMeterRegistry.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean(Listener.class).on(message("1"));
                    for (String name : List.of("one", "two")) {
                        MeterRegistry registry = context.getBean(name, MeterRegistry.class);
                        assertThat(outcomes(registry, "Listener.on")).isEqualTo(Map.of("processed", 1.0));
                        assertThat(registry.find("idempotency.store.entries").gauge())
                                .isNotNull();
                    }
                });
    }

    @Test
    void startsWithoutRegistry() {
        guarded.run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(IdempotencyMetrics.class);
            context.getBean(Listener.class).on(message("1"));
        });
    }

    @Test
    void showsAllOutcomesFromTheStartUnderLazyInitialization() {
        withOwnRegistry
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertThat(outcomeMeters(context.getBean(MeterRegistry.class)))
                        .isEqualTo(2 * Outcome.values().length));
    }

    @Test
    void countsProgrammaticCallsAlsoWhenTheAnnotationIsInert() {
        withOwnRegistry.withPropertyValues("idempotency.enabled=false").run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(registry.getMeters()).isEmpty();
            try {
                context.getBean(IdempotencyTemplate.class).execute("programmatic", "1", () -> "done");
            } catch (Throwable ex) {
                throw new AssertionError(ex);
            }
            assertThat(outcomes(registry, "programmatic")).isEqualTo(Map.of("processed", 1.0));
        });
    }

    @Test
    void standsAfterAutoConfigurationsThatExist() throws ClassNotFoundException {
        for (String name : IdempotencyMetricsAutoConfiguration.class
                .getAnnotation(AutoConfiguration.class)
                .afterName()) {
            assertThat(Class.forName(name)).hasAnnotation(AutoConfiguration.class);
        }
    }

    private static long outcomeMeters(MeterRegistry registry) {
        return registry.find("idempotency.messages").counters().size();
    }

    private static double count(MeterRegistry registry, String name, String consumer) {
        return registry.get(name).tag("consumer", consumer).counter().count();
    }

    private static Map<String, Double> outcomes(MeterRegistry registry, String consumer) {
        return registry.find("idempotency.messages").tag("consumer", consumer).counters().stream()
                .filter(counter -> counter.count() > 0)
                .collect(Collectors.toMap(
                        counter -> String.valueOf(counter.getId().getTag("outcome")), counter -> counter.count()));
    }

    static class Listener {
        @Idempotent
        public void on(Map<String, Object> message) {}
    }

    static class Other {
        @Idempotent(consumer = "other")
        public void on(Map<String, Object> message) {}
    }
}
