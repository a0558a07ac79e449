package dev.idempotency.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Idempotent;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.PriorityOrdered;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/**
 * K14 and O78: an application starts with the starter as it starts without it, recorded and compared. What the listeners
 * then do is compared in {@link TransparencyTests}.
 */
@ExtendWith(OutputCaptureExtension.class)
class WithoutTheStarterTests {

    private static final String AUTO_CONFIGURATIONS = String.join(
            ",",
            "dev.idempotency.autoconfigure.IdempotencyAutoConfiguration",
            "dev.idempotency.autoconfigure.IdempotencyJmsAutoConfiguration",
            "dev.idempotency.autoconfigure.DisabledIdempotencyAutoConfiguration",
            "dev.idempotency.autoconfigure.actuate.IdempotencyHealthAutoConfiguration",
            "dev.idempotency.autoconfigure.metrics.IdempotencyMetricsAutoConfiguration");

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void startsAsWithoutIt(boolean lazy, CapturedOutput output) {
        String laziness = "spring.main.lazy-initialization=" + lazy;
        Recorded without = start(output, laziness, "spring.autoconfigure.exclude=" + AUTO_CONFIGURATIONS);
        Recorded with = start(output, laziness);

        assertThat(without.guards()).isFalse();
        assertThat(with.guards()).isTrue();
        assertThat(with.created()).isEqualTo(without.created());
        assertThat(with.created()).doesNotContain("lazyService");
        assertThat(with.created().contains("plainService")).isEqualTo(!lazy);
        assertThat(with.advice()).isEqualTo(without.advice());
        assertThat(with.containers()).isNotEmpty().isEqualTo(without.containers());
        assertThat(with.transactionManagers()).isEqualTo(without.transactionManagers());
        assertThat(with.meters()).isNotEmpty().isEqualTo(without.meters());
        assertThat(with.warnings()).isEqualTo(without.warnings());
        assertThat(output).doesNotContain("is not eligible for getting processed by all BeanPostProcessors");
    }

    // whichever registry the application looks at
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void hasItsMetersInEachRegistry(boolean lazy) {
        try (Broker broker = Broker.start(
                GuardedApplication.class,
                "management.simple.metrics.export.enabled=true",
                "spring.main.lazy-initialization=" + lazy)) {
            Map<String, MeterRegistry> registries = broker.context().getBeansOfType(MeterRegistry.class);
            broker.bean(Guarded.class).on(Map.of("meta", Map.of("id", "A")));
            broker.bean(Guarded.class).on(Map.of("meta", Map.of("id", "A")));
            for (String name : Set.of("first", "second")) {
                assertThat(Objects.requireNonNull(registries.get(name))
                                .get("idempotency.messages")
                                .tags("consumer", "guarded", "outcome", "duplicate")
                                .counter()
                                .count())
                        .as(name)
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void touchesNoBeanWithoutTheAnnotation() {
        try (Broker broker = Broker.start(PlainApplication.class)) {
            assertThat(broker.bean(PlainService.class).getClass()).isSameAs(PlainService.class);
            assertThat(broker.bean(Listener.class).getClass()).isSameAs(Listener.class);
        }
    }

    private static Recorded start(CapturedOutput output, String... properties) {
        int before = output.getAll().length();
        try (Broker broker = Broker.start(PlainApplication.class, properties)) {
            return Recorded.of(broker.context(), output.getAll().substring(before));
        }
    }

    private record Recorded(
            boolean guards,
            List<String> created,
            Map<String, List<String>> advice,
            Set<String> containers,
            Map<String, String> transactionManagers,
            Set<String> meters,
            Set<String> warnings) {

        static Recorded of(ConfigurableApplicationContext context, String output) {
            List<String> created = List.copyOf(context.getBean(Creations.class).names);
            Map<String, List<String>> advice = new TreeMap<>();
            for (String name : List.of("plainService", "transactionalService", "listener")) {
                advice.put(name, adviceOf(context.getBean(name)));
            }
            return new Recorded(
                    context.containsBean("idempotentAdvisor"),
                    created,
                    advice,
                    containersOf(context.getBean(JmsListenerEndpointRegistry.class)),
                    context.getBeansOfType(TransactionManager.class).entrySet().stream()
                            .collect(Collectors.toMap(
                                    Map.Entry::getKey,
                                    manager -> manager.getValue().getClass().getName())),
                    metersOf(context.getBean(MeterRegistry.class)),
                    output.lines()
                            .filter(line -> line.contains(" WARN ") || line.contains(" ERROR "))
                            .map(line -> line.substring(line.indexOf(" : ")))
                            .collect(Collectors.toCollection(TreeSet::new)));
        }

        private static List<String> adviceOf(Object bean) {
            return bean instanceof Advised advised
                    ? Arrays.stream(advised.getAdvisors())
                            .map(advisor -> advisor.getAdvice().getClass().getName())
                            .toList()
                    : List.of();
        }

        private static Set<String> containersOf(JmsListenerEndpointRegistry registry) {
            return registry.getListenerContainers().stream()
                    .map(DefaultMessageListenerContainer.class::cast)
                    .map(container -> String.join(
                            " ",
                            container.getClass().getName(),
                            String.valueOf(container.getDestinationName()),
                            "acknowledge=" + container.getSessionAcknowledgeMode(),
                            "transacted=" + container.isSessionTransacted(),
                            "consumers=" + container.getConcurrentConsumers() + "-"
                                    + container.getMaxConcurrentConsumers(),
                            "cache=" + container.getCacheLevel(),
                            "topic=" + container.isPubSubDomain(),
                            "autoStartup=" + container.isAutoStartup(),
                            "phase=" + container.getPhase(),
                            "converter=" + container.getMessageConverter(),
                            "running=" + container.isRunning()))
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        private static Set<String> metersOf(MeterRegistry registry) {
            return registry.getMeters().stream()
                    .map(meter -> meter.getId().getName() + meter.getId().getTags())
                    // those of the JVM come with what it happens to collect
                    .filter(meter -> !meter.startsWith("idempotency.") && !meter.startsWith("jvm."))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** The beans of the application and of its libraries, in the order of their creation. */
    static final class Creations implements InstantiationAwareBeanPostProcessor, PriorityOrdered {

        private final List<String> names = new ArrayList<>();

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }

        @Override
        public Object postProcessBeforeInstantiation(Class<?> type, String name) {
            boolean ours = type.getName().startsWith("dev.idempotency.")
                    && type.getPackage() != WithoutTheStarterTests.class.getPackage();
            if (!ours && !names.contains(name)) {
                names.add(name);
            }
            return null;
        }
    }

    static class PlainService {
        public void handle(String text) {}
    }

    static class TransactionalService {

        private final PlainService plain;

        TransactionalService(PlainService plain) {
            this.plain = plain;
        }

        @Transactional
        public void handle(String text) {
            plain.handle(text);
        }
    }

    static class LazyService {}

    static class Listener {

        private final TransactionalService service;

        Listener(TransactionalService service) {
            this.service = service;
        }

        @JmsListener(destination = "orders", concurrency = "1-2")
        public void on(String text) {
            service.handle(text);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableTransactionManagement
    static class PlainApplication {

        @Bean
        static Creations creations() {
            return new Creations();
        }

        @Bean
        MeterRegistry registry() {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            registry.counter("application.orders", "kind", "any");
            return registry;
        }

        @Bean
        DataSource dataSource() {
            return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }

        @Bean
        DataSourceTransactionManager transactionManager(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }

        @Bean
        PlainService plainService() {
            return new PlainService();
        }

        @Bean
        TransactionalService transactionalService(PlainService plain) {
            return new TransactionalService(plain);
        }

        @Bean
        @Lazy
        LazyService lazyService() {
            return new LazyService();
        }

        @Bean
        @Lazy(false)
        Listener listener(@Lazy TransactionalService service) {
            return new Listener(service);
        }
    }

    static class Guarded {
        @Idempotent(consumer = "guarded")
        public void on(Map<String, Object> message) {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Guarded.class)
    static class GuardedApplication {

        @Bean
        SimpleMeterRegistry first() {
            return new SimpleMeterRegistry();
        }

        @Bean
        SimpleMeterRegistry second() {
            return new SimpleMeterRegistry();
        }
    }
}
