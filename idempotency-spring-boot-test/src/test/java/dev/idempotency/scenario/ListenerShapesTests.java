package dev.idempotency.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.idempotency.Idempotent;
import dev.idempotency.Outcome;
import dev.idempotency.aop.InvalidIdempotentMethodsException;
import dev.idempotency.test.RecordingListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.messaging.handler.annotation.Header;

/** K9 and K11: listener methods of odd shapes in the real container (O62, O67). */
class ListenerShapesTests {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void guardsEachListenerMethodOfABeanBehindEitherProxy(boolean classes) {
        try (Broker broker = Broker.start(SeveralListeners.class, "spring.aop.proxy-target-class=" + classes)) {
            assertThat(AopUtils.isCglibProxy(broker.bean(Contract.class))).isEqualTo(classes);
            for (String queue : List.of("orders", "refunds")) {
                for (int delivery = 0; delivery < 3; delivery++) {
                    broker.send(queue, session -> {
                        var message = session.createTextMessage("42");
                        message.setStringProperty("MessageId", "A");
                        message.setStringProperty("region", "eu");
                        return message;
                    });
                }
            }

            RecordingListener guarding = broker.bean(RecordingListener.class);
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(guarding.outcomes()).hasSize(6));
            assertThat(broker.bean(Effects.class).all())
                    .containsExactlyInAnyOrder("created 42 in eu", "refunded 42 in eu");
            assertThat(guarding.outcomes())
                    .filteredOn(Outcome.PROCESSED::equals)
                    .hasSize(2);
            assertThat(guarding.outcomes())
                    .filteredOn(Outcome.DUPLICATE::equals)
                    .hasSize(4);
            await().until(() -> broker.depth("orders") + broker.depth("refunds") == 0);
            assertThat(broker.deadLetters()).isZero();
        }
    }

    // the container would acknowledge it at its return
    @Test
    void refusesListenerThatReturnsBeforeItsWorkIsDone() {
        assertThatExceptionOfType(InvalidIdempotentMethodsException.class)
                .isThrownBy(() -> Broker.start(FutureListeners.class).close())
                .satisfies(refused -> assertThat(refused.faults())
                        .singleElement()
                        .asString()
                        .startsWith(FutureListener.class.getName() + "#on: A @JmsListener cannot return before its work"
                                + " is done")
                        .endsWith("return void or the value itself."));
    }

    interface Contract {

        @Idempotent
        void created(String payload, @Header("region") String region);

        @Idempotent
        void refunded(String payload, @Header("region") String region);
    }

    static class Handlers implements Contract {

        private final Effects effects;

        Handlers(Effects effects) {
            this.effects = effects;
        }

        @JmsListener(destination = "orders")
        @Override
        public void created(String payload, String region) {
            effects.add("created " + payload + " in " + region);
        }

        @JmsListener(destination = "refunds")
        @Override
        public void refunded(String payload, String region) {
            effects.add("refunded " + payload + " in " + region);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Effects.class, RecordingListener.class})
    static class SeveralListeners {

        @Bean
        Contract handlers(Effects effects) {
            return new Handlers(effects);
        }
    }

    static class FutureListener {

        @JmsListener(destination = "orders")
        @Idempotent
        public CompletableFuture<Void> on(String payload) {
            return new CompletableFuture<>();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({RecordingListener.class, FutureListener.class})
    static class FutureListeners {}
}
