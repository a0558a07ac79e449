package dev.idempotency.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.Idempotent;
import dev.idempotency.MessageKey;
import dev.idempotency.store.memory.InMemoryIdempotencyStore;
import dev.idempotency.test.RecordingListener;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jms.annotation.JmsListener;

/** O83: the application stops in the middle of a handler, or of a wait. The broker and the store outlive it. */
class ShutdownTests {

    private static final MessageKey KEY = MessageKey.of("orders", "A");

    private OutlivingBroker outliving;
    private final Outliving state = new Outliving();

    @BeforeEach
    void startBroker() throws Exception {
        outliving = OutlivingBroker.start();
        Outliving.current = state;
    }

    @AfterEach
    void stopBroker() {
        outliving.close();
    }

    private Broker startApplication(String... properties) {
        return Broker.start(outliving, App.class, properties);
    }

    @ParameterizedTest
    @ValueSource(strings = {"30s", "500ms"})
    void handlesTheMessageOnceWhateverTheStopWaitsFor(String patience) throws Exception {
        Broker first = startApplication("spring.lifecycle.timeout-per-shutdown-phase=" + patience);
        first.sendText("orders", Envelopes.withId("A"));
        state.awaitEntered();

        long stopping = System.nanoTime();
        first.close();
        assertThat(Duration.ofNanos(System.nanoTime() - stopping)).isLessThan(Duration.ofSeconds(20));

        boolean marked = state.store.seen(KEY);
        assertThat(marked || outliving.depth("orders") == 1)
                .as("mark written or message kept")
                .isTrue();
        try (Broker second = startApplication()) {
            await().atMost(Duration.ofSeconds(20)).until(() -> second.depth("orders") == 0);
        }
        await().untilAsserted(() -> assertThat(state.effects.count()).isEqualTo(1));
        assertThat(state.store.seen(KEY)).isTrue();
        assertThat(outliving.depth(Broker.DEAD_LETTERS)).isZero();
    }

    @Test
    void stopsAtOnceWhileACopyWaits() {
        state.store.claim(KEY, "another process", Duration.ofMinutes(5));
        Broker application = startApplication();
        RecordingListener guarding = application.bean(RecordingListener.class);
        application.sendText("orders", Envelopes.withId("A"));
        await().until(() -> guarding.results("claim").contains("held"));

        long stopping = System.nanoTime();
        application.close();

        assertThat(Duration.ofNanos(System.nanoTime() - stopping)).isLessThan(Duration.ofSeconds(10));
        assertThat(outliving.depth("orders")).isOne();
        assertThat(state.effects.count()).isZero();
    }

    /** What a restart does not lose. */
    static final class Outliving {

        // One application context cannot be handed objects of another's by its class alone.
        private static volatile Outliving current;

        final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore(Duration.ofDays(1), 1000);
        final Effects effects = new Effects();
        private final CountDownLatch entered = new CountDownLatch(1);

        void handle(String order) throws InterruptedException {
            entered.countDown();
            new CountDownLatch(1).await(2, TimeUnit.SECONDS);
            effects.add(order);
        }

        void awaitEntered() throws InterruptedException {
            entered.await();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({RecordingListener.class, Orders.class, OrderCreated.Converter.class})
    static class App {

        @Bean
        IdempotencyStore store() {
            return Outliving.current.store;
        }
    }

    static class Orders {

        @JmsListener(destination = "orders")
        @Idempotent(consumer = "orders")
        void on(OrderCreated order) throws InterruptedException {
            Outliving.current.handle(order.order());
        }
    }
}
