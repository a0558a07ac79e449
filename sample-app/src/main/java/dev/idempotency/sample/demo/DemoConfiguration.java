package dev.idempotency.sample.demo;

import dev.idempotency.sample.OrderEnvelopes;
import dev.idempotency.sample.OrderPublisher;
import dev.idempotency.sample.PaymentLedger;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.jms.ConnectionFactory;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jms.ConnectionFactoryUnwrapper;
import org.springframework.boot.jms.autoconfigure.DefaultJmsListenerContainerFactoryConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

@Configuration(proxyBeanMethods = false)
@Profile(Demo.PROFILE)
class DemoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(DemoConfiguration.class);

    @Bean
    DeliveryLog deliveryLog(OrderEnvelopes envelopes) {
        return new DeliveryLog(envelopes);
    }

    @Bean
    ScriptedProvider scriptedProvider(DeliveryLog deliveries) {
        return new ScriptedProvider(deliveries);
    }

    // Named as the listener annotation expects it, and configured as Boot configures its own.
    @Bean
    DefaultJmsListenerContainerFactory jmsListenerContainerFactory(
            DefaultJmsListenerContainerFactoryConfigurer configurer,
            ConnectionFactory connectionFactory,
            DeliveryLog deliveries) {
        DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory() {
            @Override
            protected DefaultMessageListenerContainer createContainerInstance() {
                return new ObservedContainer(deliveries);
            }
        };
        configurer.configure(factory, ConnectionFactoryUnwrapper.unwrapCaching(connectionFactory));
        // These failures are part of the story; a stack trace for each would hide the rest of it.
        factory.setErrorHandler(error -> log.debug("Listener failed", error));
        return factory;
    }

    @Bean
    Demo demo(
            OrderPublisher publisher,
            OrderEnvelopes envelopes,
            ScriptedProvider provider,
            DeliveryLog deliveries,
            PaymentLedger ledger,
            EmbeddedActiveMQ broker,
            MeterRegistry meters,
            DemoProperties properties) {
        OrdersQueue queue = new OrdersQueue(broker);
        Accountant accountant = new Accountant(deliveries, ledger);
        return new Demo(publisher, envelopes, provider, queue, accountant, new Audit(queue, meters), properties);
    }
}
