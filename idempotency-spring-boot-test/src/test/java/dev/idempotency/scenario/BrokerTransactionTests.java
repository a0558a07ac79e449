package dev.idempotency.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.Idempotent;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.test.RecordingListener;
import jakarta.jms.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.connection.JmsTransactionManager;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A broker's own transaction is not waited for: the mark is there before the broker commits, so that an effect stays
 * single when that commit fails.
 */
class BrokerTransactionTests {

    @Test
    void marksBeforeTheBrokerCommits() {
        try (Broker broker = Broker.start(App.class)) {
            Orders orders = broker.bean(Orders.class);
            broker.sendText("orders", Envelopes.withId("A"));
            broker.sendText("orders", Envelopes.withId("A"));
            await().atMost(Duration.ofSeconds(20)).until(() -> broker.depth("orders") == 0);

            assertThat(orders.seenBeforeCommit()).containsExactly(true);
            RecordingListener guarding = broker.bean(RecordingListener.class);
            await().untilAsserted(() ->
                    assertThat(guarding.outcomes()).containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE));
            assertThat(broker.bean(Effects.class).all()).containsExactly("A");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Effects.class, RecordingListener.class, Orders.class, OrderCreated.Converter.class})
    static class App {

        @Bean
        DefaultJmsListenerContainerFactory managed(ConnectionFactory connections, OrderCreated.Converter converter) {
            DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
            factory.setConnectionFactory(connections);
            factory.setMessageConverter(converter);
            JmsTransactionManager manager = new JmsTransactionManager(connections);
            // Off by default: only switched on can it be taken for a transaction whose end a mark has to wait for.
            manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_ALWAYS);
            factory.setTransactionManager(manager);
            factory.setSessionTransacted(true);
            return factory;
        }
    }

    static class Orders {

        private final Effects effects;
        private final IdempotencyStore store;
        private final List<Boolean> seenBeforeCommit = new CopyOnWriteArrayList<>();

        Orders(Effects effects, IdempotencyStore store) {
            this.effects = effects;
            this.store = store;
        }

        @JmsListener(destination = "orders", containerFactory = "managed")
        @Idempotent(consumer = "orders")
        void on(OrderCreated order) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    seenBeforeCommit.add(store.seen(MessageKey.of("orders", "A")));
                }
            });
            effects.add(order.order());
        }

        List<Boolean> seenBeforeCommit() {
            return seenBeforeCommit;
        }
    }
}
