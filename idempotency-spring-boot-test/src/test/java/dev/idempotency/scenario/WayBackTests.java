package dev.idempotency.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.Idempotent;
import dev.idempotency.MessageKey;
import dev.idempotency.MessageState;
import dev.idempotency.store.memory.InMemoryIdempotencyStore;
import jakarta.jms.Message;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.core.JmsTemplate;

/** Messages that come again by every way they have: redelivery, retry, dead letters, a second consumer, a second id. */
class WayBackTests {

    private Broker broker;
    private Effects effects;
    private Switch failing;

    @BeforeEach
    void start() {
        broker = Broker.start(App.class);
        effects = broker.bean(Effects.class);
        failing = broker.bean(Switch.class);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private void settled(String queue) {
        await().atMost(Duration.ofSeconds(20)).until(() -> broker.depth(queue) == 0);
    }

    // O01
    @Test
    void runsTheRedeliveryOfAFailureAndSkipsTheThird() {
        failing.times = 1;
        broker.sendText("orders", Envelopes.withId("A"));
        await().until(() -> effects.count() == 1);
        broker.sendText("orders", Envelopes.withId("A", 1));
        settled("orders");

        assertThat(effects.all()).containsExactly("orders A");
        assertThat(failing.calls).isEqualTo(2);
    }

    // O32
    @Test
    void runsAMessageThatIsMovedBackFromTheDeadLetters() {
        failing.times = 10;
        broker.sendText("orders", Envelopes.withId("A"));
        await().atMost(Duration.ofSeconds(20)).until(() -> broker.deadLetters() == 1);
        assertThat(effects.count()).isZero();

        moveBack();
        await().until(() -> effects.count() == 1);
        broker.sendText("orders", Envelopes.withId("A"));
        settled("orders");

        assertThat(effects.all()).containsExactly("orders A");
        assertThat(broker.deadLetters()).isZero();
    }

    private void moveBack() {
        JmsTemplate jms = broker.bean(JmsTemplate.class);
        Message dead = jms.receive(Broker.DEAD_LETTERS);
        jms.send("orders", session -> session.createTextMessage(dead.getBody(String.class)));
    }

    // O33
    @Test
    void runsEachConsumerOfOneEvent() {
        for (int i = 0; i < 2; i++) {
            broker.sendText("orders", Envelopes.withId("A"));
            broker.sendText("audit", Envelopes.withId("A"));
        }
        settled("orders");
        settled("audit");

        assertThat(effects.all()).containsExactlyInAnyOrder("orders A", "audit A");
    }

    // O35
    @Test
    void keepsOneKeyHoweverOftenAMessageComes() {
        for (int i = 0; i < 100; i++) {
            broker.sendText("orders", Envelopes.withId("A", i));
        }
        settled("orders");

        InMemoryIdempotencyStore store = broker.bean(InMemoryIdempotencyStore.class);
        assertThat(effects.all()).containsExactly("orders A");
        assertThat(store.size()).isOne();
        assertThat(store.state(MessageKey.of("Orders.on", "A")).status()).isEqualTo(MessageState.Status.SEEN);
    }

    // O37, O49
    @Test
    void neverTakesACorrelationOrTraceOrGeneratedIdForAnId() {
        for (int i = 0; i < 2; i++) {
            int order = i;
            broker.send("orders", session -> {
                Message message = session.createTextMessage(Envelopes.withoutId("C" + order));
                message.setJMSCorrelationID("same");
                message.setStringProperty("traceparent", "00-1-2-01");
                message.setStringProperty("bq_trace_id", "same");
                message.setStringProperty("correlationId", "same");
                message.setStringProperty("id", UUID.randomUUID().toString());
                return message;
            });
        }
        settled("orders");

        assertThat(effects.all()).containsExactlyInAnyOrder("orders C0", "orders C1");
        assertThat(broker.bean(InMemoryIdempotencyStore.class).size()).isZero();
    }

    // O50
    @Test
    void runsEveryDeliveryOfAMessageWithoutAnId() {
        failing.times = 1;
        broker.sendText("orders", Envelopes.withoutId("D"));
        await().until(() -> effects.count() == 1);
        settled("orders");

        assertThat(failing.calls).isEqualTo(2);
        assertThat(broker.bean(InMemoryIdempotencyStore.class).size()).isZero();
    }

    // O40, and forget: the way to have a message handled again
    @Test
    void handlesAForgottenMessageAgain() {
        broker.sendText("orders", Envelopes.withId("A"));
        await().until(() -> effects.count() == 1);
        settled("orders");
        broker.bean(IdempotencyStore.class).forget(MessageKey.of("Orders.on", "A"));
        broker.sendText("orders", Envelopes.withId("A"));
        await().until(() -> effects.count() == 2);
        settled("orders");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Effects.class, Switch.class, Orders.class, Audit.class, OrderCreated.Converter.class})
    static class App {}

    static class Orders {

        private final Effects effects;
        private final Switch failing;

        Orders(Effects effects, Switch failing) {
            this.effects = effects;
            this.failing = failing;
        }

        @JmsListener(destination = "orders")
        @Idempotent
        void on(OrderCreated order) {
            failing.check();
            effects.add("orders " + order.order());
        }
    }

    static class Audit {

        private final Effects effects;

        Audit(Effects effects) {
            this.effects = effects;
        }

        @JmsListener(destination = "audit")
        @Idempotent
        void on(OrderCreated order) {
            effects.add("audit " + order.order());
        }
    }

    /** Makes the next calls of the handler fail. */
    static final class Switch {

        private volatile int times;
        private volatile int calls;

        void check() {
            calls++;
            if (calls <= times) {
                throw new IllegalStateException("told to fail");
            }
        }
    }
}
