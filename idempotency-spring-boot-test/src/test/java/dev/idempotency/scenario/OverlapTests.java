package dev.idempotency.scenario;

import static java.util.Collections.frequency;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.Idempotent;
import dev.idempotency.Outcome;
import dev.idempotency.test.RecordingListener;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jms.annotation.JmsListener;

/** O27: a copy that overlaps a first one is never lost, whatever becomes of the first. */
@ExtendWith(OutputCaptureExtension.class)
class OverlapTests {

    private OutlivingBroker outliving;

    @BeforeEach
    void startBroker() throws Exception {
        outliving = OutlivingBroker.start();
    }

    @AfterEach
    void stopBroker() {
        outliving.close();
    }

    @Test
    void runsTheWaitingCopyWhenTheFirstFails() throws Exception {
        try (Broker broker = Broker.start(outliving, App.class)) {
            FirstRun first = broker.bean(FirstRun.class);
            RecordingListener guarding = broker.bean(RecordingListener.class);
            deliverTwice(broker, first);
            await().until(() -> guarding.results("claim").contains("held"));

            first.endBy(new IllegalStateException("first"));

            awaitEmpty(broker);
            assertThat(broker.bean(Effects.class).all()).containsExactly("A");
            assertThat(guarding.outcomes())
                    .containsExactlyInAnyOrder(Outcome.FAILED, Outcome.PROCESSED, Outcome.DUPLICATE);
            assertThat(broker.deadLetters()).isZero();
        }
    }

    @Test
    void skipsTheWaitingCopyWhenTheFirstSucceeds() throws Exception {
        try (Broker broker = Broker.start(outliving, App.class)) {
            FirstRun first = broker.bean(FirstRun.class);
            RecordingListener guarding = broker.bean(RecordingListener.class);
            deliverTwice(broker, first);
            await().until(() -> guarding.results("claim").contains("held"));

            first.endBy(null);

            awaitEmpty(broker);
            assertThat(broker.bean(Effects.class).all()).containsExactly("A");
            assertThat(guarding.outcomes()).containsExactlyInAnyOrder(Outcome.PROCESSED, Outcome.DUPLICATE);
        }
    }

    @Test
    void redeliversTheCopyThatWentBackBeforeTheFirstFails(CapturedOutput output) throws Exception {
        try (Broker broker = Broker.start(
                outliving, App.class, "idempotency.in-flight-wait=100ms", "idempotency.later-delay=100ms")) {
            FirstRun first = broker.bean(FirstRun.class);
            RecordingListener guarding = broker.bean(RecordingListener.class);
            deliverTwice(broker, first);
            await().until(() -> frequency(guarding.outcomes(), Outcome.IN_FLIGHT) >= 2);

            first.endBy(new IllegalStateException("first"));

            awaitEmpty(broker);
            assertThat(broker.bean(Effects.class).all()).containsExactly("A");
            assertThat(broker.deadLetters()).isZero();
        }
        assertThat(output.getAll()).doesNotContain("MessageInFlightException").doesNotContain(" ERROR ");
    }

    @Test
    void redeliversTheCopyThatWentBackBeforeTheFirstSucceeds() throws Exception {
        try (Broker broker = Broker.start(
                outliving, App.class, "idempotency.in-flight-wait=100ms", "idempotency.later-delay=100ms")) {
            FirstRun first = broker.bean(FirstRun.class);
            RecordingListener guarding = broker.bean(RecordingListener.class);
            deliverTwice(broker, first);
            await().until(() -> frequency(guarding.outcomes(), Outcome.IN_FLIGHT) >= 2);

            first.endBy(null);

            awaitEmpty(broker);
            assertThat(broker.bean(Effects.class).all()).containsExactly("A");
            assertThat(frequency(guarding.outcomes(), Outcome.DUPLICATE)).isOne();
            assertThat(broker.deadLetters()).isZero();
        }
    }

    @Test
    void spendsNoDeliveryOfACopyThatGoesBackAsADelayedOne() throws Exception {
        try (Broker broker = Broker.start(
                outliving,
                App.class,
                "idempotency.jms.later=delayed-copy",
                "idempotency.in-flight-wait=0",
                "idempotency.later-delay=50ms",
                "idempotency.lease=100ms")) {
            FirstRun first = broker.bean(FirstRun.class);
            RecordingListener guarding = broker.bean(RecordingListener.class);
            deliverTwice(broker, first);
            // Far more returns than the broker's ten attempts.
            await().atMost(Duration.ofSeconds(30)).until(() -> frequency(guarding.outcomes(), Outcome.IN_FLIGHT) >= 15);

            first.endBy(null);

            awaitEmpty(broker);
            assertThat(broker.bean(Effects.class).all()).containsExactly("A");
            assertThat(broker.deadLetters()).isZero();
        }
    }

    /** With the broker's ten attempts and the wait that suits JMS, a copy outlives a first run of a minute and a half. */
    @Test
    void doesNotDeadLetterTheCopyOfALongRun() throws Exception {
        try (Broker broker = Broker.start(outliving, App.class)) {
            FirstRun first = broker.bean(FirstRun.class);
            RecordingListener guarding = broker.bean(RecordingListener.class);
            deliverTwice(broker, first);
            first.endAfter(Duration.ofSeconds(90));

            await().atMost(Duration.ofSeconds(150)).until(() -> frequency(guarding.outcomes(), Outcome.PROCESSED) == 1);
            await().atMost(Duration.ofSeconds(40)).until(() -> broker.depth("orders") == 0);

            assertThat(broker.bean(Effects.class).all()).containsExactly("A");
            assertThat(frequency(guarding.outcomes(), Outcome.DUPLICATE)).isOne();
            assertThat(frequency(guarding.outcomes(), Outcome.IN_FLIGHT)).isBetween(1, 4);
            assertThat(broker.deadLetters()).isZero();
        }
    }

    /** The copy, in other bytes, arrives while the first is in work. */
    static void deliverTwice(Broker broker, FirstRun first) throws InterruptedException {
        broker.sendText("orders", Envelopes.withId("A"));
        first.awaitEntered();
        broker.sendText("orders", Envelopes.withId("A", 1));
    }

    private static void awaitEmpty(Broker broker) {
        await().atMost(Duration.ofSeconds(30)).until(() -> broker.depth("orders") == 0);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Effects.class, RecordingListener.class, FirstRun.class, Orders.class, OrderCreated.Converter.class})
    static class App {}

    static class Orders {

        private final Effects effects;
        private final FirstRun first;

        Orders(Effects effects, FirstRun first) {
            this.effects = effects;
            this.first = first;
        }

        @JmsListener(destination = "orders", concurrency = "2-2")
        @Idempotent
        void on(OrderCreated order) throws Exception {
            first.holdIfFirst();
            effects.add(order.order());
        }
    }

    /** Holds the first call of the handler until the test says how it ends. */
    static final class FirstRun {

        private final AtomicInteger calls = new AtomicInteger();
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile Exception failure;
        private volatile Duration length;

        void holdIfFirst() throws Exception {
            if (calls.getAndIncrement() > 0) {
                return;
            }
            entered.countDown();
            ended.await();
            if (length != null) {
                new CountDownLatch(1).await(length.toMillis(), TimeUnit.MILLISECONDS);
            }
            if (failure != null) {
                throw failure;
            }
        }

        void awaitEntered() throws InterruptedException {
            entered.await();
        }

        void endBy(Exception thrown) {
            failure = thrown;
            ended.countDown();
        }

        void endAfter(Duration time) {
            length = time;
            ended.countDown();
        }
    }
}
