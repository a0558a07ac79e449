package dev.idempotency.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.IdempotencyMode;
import dev.idempotency.IdempotencyStore;
import dev.idempotency.Idempotent;
import dev.idempotency.store.memory.InMemoryIdempotencyStore;
import dev.idempotency.test.H2TransactionalStore;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Session;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;

/**
 * Added to an existing listener, nothing else changes: the same calls in the same order, the same exceptions at the
 * error handler, the same dead letters, with and without the annotation, in every mode. O01, O11, K7
 */
class TransparencyTests {

    private static final List<String> SCRIPTS =
            List.of("ok-1", "fails-once", "ok-2", "checked-once", "error-once", "linkage-once", "fails-always", "ok-3");

    static Stream<Arguments> settings() {
        return Stream.of(IdempotencyMode.AFTER_SUCCESS, IdempotencyMode.CLAIM, IdempotencyMode.TRANSACTIONAL)
                .flatMap(mode -> Stream.of(
                                Session.SESSION_TRANSACTED, Session.CLIENT_ACKNOWLEDGE, Session.AUTO_ACKNOWLEDGE)
                        .map(ack -> Arguments.of(mode, ack)));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void changesNothingForFirstDeliveries(IdempotencyMode mode, int acknowledgeMode) {
        Observed plain = observe("plain", mode, acknowledgeMode);
        Observed guarded = observe("guarded", mode, acknowledgeMode);

        assertThat(guarded).isEqualTo(plain);
        assertThat(plain.calls()).contains("ok-1", "ok-2", "ok-3");
        assertThat(plain.errors()).isNotEmpty();
        if (acknowledgeMode == Session.SESSION_TRANSACTED) {
            assertThat(plain.deadLetters()).isOne();
        }
    }

    private static Observed observe(String queue, IdempotencyMode mode, int acknowledgeMode) {
        try (Broker broker =
                Broker.start(App.class, "idempotency.mode=" + mode, "test.acknowledge-mode=" + acknowledgeMode)) {
            Script script = broker.bean(Script.class);
            for (String id : SCRIPTS) {
                broker.sendText(queue, Envelopes.withId(id));
                // One by one: a client's acknowledgement is for all that its session has received before.
                await().atMost(Duration.ofSeconds(30)).until(() -> script.hasCalled(id) && broker.depth(queue) == 0);
            }
            return new Observed(script.calls(), broker.bean(Errors.class).all(), broker.deadLetters());
        }
    }

    /** What an application and its broker can see of a listener. */
    private record Observed(List<String> calls, List<String> errors, long deadLetters) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Script.class, Errors.class, Listeners.class, OrderCreated.Converter.class})
    static class App {

        @Bean
        DataSource dataSource() {
            return new DriverManagerDataSource("jdbc:h2:mem:transparency;LOCK_TIMEOUT=100;DB_CLOSE_DELAY=-1");
        }

        @Bean
        IdempotencyStore store(DataSource dataSource, Environment environment) {
            return environment.getProperty("idempotency.mode", IdempotencyMode.class) == IdempotencyMode.TRANSACTIONAL
                    ? new H2TransactionalStore(
                            dataSource, "transparency-" + System.nanoTime(), Duration.ofDays(1), InstantSource.system())
                    : new InMemoryIdempotencyStore(Duration.ofDays(1), 1000);
        }

        @Bean
        DefaultJmsListenerContainerFactory inOrder(
                ConnectionFactory connections,
                OrderCreated.Converter converter,
                Errors errors,
                Environment environment) {
            int acknowledgeMode = environment.getRequiredProperty("test.acknowledge-mode", Integer.class);
            DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
            factory.setConnectionFactory(connections);
            factory.setMessageConverter(converter);
            factory.setErrorHandler(errors::add);
            factory.setSessionTransacted(acknowledgeMode == Session.SESSION_TRANSACTED);
            if (acknowledgeMode != Session.SESSION_TRANSACTED) {
                factory.setSessionAcknowledgeMode(acknowledgeMode);
            }
            return factory;
        }
    }

    static class Listeners {

        private final Script script;

        Listeners(Script script) {
            this.script = script;
        }

        @JmsListener(destination = "plain", containerFactory = "inOrder")
        void plain(OrderCreated order) throws Exception {
            script.run(order.order());
        }

        @JmsListener(destination = "guarded", containerFactory = "inOrder")
        @Idempotent
        void guarded(OrderCreated order) throws Exception {
            script.run(order.order());
        }
    }

    /** Does with each message what its name says. */
    static final class Script {

        private final List<String> calls = new CopyOnWriteArrayList<>();
        private final Map<String, AtomicInteger> attempts = new ConcurrentHashMap<>();

        void run(String name) throws Exception {
            calls.add(name);
            int attempt =
                    attempts.computeIfAbsent(name, added -> new AtomicInteger()).incrementAndGet();
            if (name.equals("fails-always") || (name.endsWith("-once") && attempt == 1)) {
                fail(name);
            }
        }

        private static void fail(String name) throws Exception {
            switch (name) {
                case "checked-once" -> throw new IOException(name);
                case "error-once" -> throw new AssertionError(name);
                case "linkage-once" -> throw new NoClassDefFoundError(name);
                default -> throw new IllegalStateException(name);
            }
        }

        List<String> calls() {
            return List.copyOf(calls);
        }

        boolean hasCalled(String name) {
            return calls.contains(name);
        }
    }

    /** What reached the container's error handler. */
    static final class Errors {

        private final List<String> all = new CopyOnWriteArrayList<>();

        void add(Throwable thrown) {
            all.add(thrown.getClass().getSimpleName() + " < " + NestedExceptionUtils.getMostSpecificCause(thrown));
        }

        List<String> all() {
            return List.copyOf(all);
        }
    }
}
