package dev.idempotency.sample;

import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.artemis.autoconfigure.ArtemisConfigurationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

@Configuration(proxyBeanMethods = false)
class SampleConfiguration {

    private static final Logger log = LoggerFactory.getLogger(SampleConfiguration.class);

    @Bean
    ArtemisConfigurationCustomizer ordersQueue() {
        return broker -> broker.addAddressSetting(
                OrderPublisher.QUEUE,
                new AddressSettings()
                        .setMaxDeliveryAttempts(10)
                        .setDeadLetterAddress(SimpleString.of("DLQ"))
                        .setRedeliveryDelay(500)
                        .setRedeliveryMultiplier(2)
                        .setMaxRedeliveryDelay(10_000)
                        // A consumer that is busy, or that waits for a copy in flight, must not hoard messages that
                        // others could handle.
                        .setDefaultConsumerWindowSize(0));
    }

    @Bean
    @Profile("!demo")
    PaymentProvider paymentProvider() {
        return order -> log.info("Charged order {}: {}", order.orderId(), order.amount());
    }
}
