package dev.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.Idempotent;
import io.micrometer.core.instrument.MeterRegistry;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.artemis.autoconfigure.ArtemisConfigurationCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.core.JmsTemplate;

/** What the README says of a first run that outlasts all attempts of its copy, in less time. */
class CopyInFlightTests {

    private final CountDownLatch end = new CountDownLatch(1);

    @Test
    void endsInTheDeadLettersWhenItsAttemptsAreSpent() {
        try (var context = start("rollback")) {
            // 0.1 + 0.2 + 8 × 0.3 s: the doubled delay up to the lease, for each of ten attempts.
            await().between(Duration.ofMillis(2_700), Duration.ofSeconds(15))
                    .until(() -> messages(context, "DLQ") == 1);
            end.countDown();

            await().atMost(Duration.ofSeconds(10)).until(() -> messages(context, "slow") == 0);
            assertThat(count(context, "in_flight")).isEqualTo(10);
            assertThat(count(context, "processed")).isOne();
        }
    }

    @Test
    void spendsNoAttemptAsDelayedCopy() {
        try (var context = start("delayed-copy")) {
            await().atMost(Duration.ofSeconds(30)).until(() -> count(context, "in_flight") > 12);
            assertThat(messages(context, "DLQ")).isZero();
            end.countDown();

            await().atMost(Duration.ofSeconds(10)).until(() -> messages(context, "slow") == 0);
            assertThat(messages(context, "DLQ")).isZero();
            assertThat(count(context, "processed")).isOne();
            assertThat(count(context, "duplicate")).isOne();
        }
    }

    private ConfigurableApplicationContext start(String later) {
        SpringApplication application = new SpringApplication(SampleApplication.class, SlowQueue.class);
        application.addInitializers(context -> context.getBeanFactory().registerSingleton("end", end));
        var context = application.run(
                "--spring.main.web-application-type=none",
                "--idempotency.in-flight-wait=0s",
                "--idempotency.later-delay=100ms",
                "--idempotency.lease=300ms",
                "--idempotency.jms.later=" + later);
        String text = context.getBean(OrderEnvelopes.class).write(new OrderCreated("1", BigDecimal.ONE), "id");
        context.getBean(JmsTemplate.class).convertAndSend("slow", text);
        context.getBean(JmsTemplate.class).convertAndSend("slow", text);
        return context;
    }

    private static long messages(ConfigurableApplicationContext context, String queue) {
        return context.getBean(EmbeddedActiveMQ.class)
                .getActiveMQServer()
                .locateQueue(SimpleString.of(queue))
                .getMessageCount();
    }

    private static double count(ConfigurableApplicationContext context, String outcome) {
        return context.getBean(MeterRegistry.class)
                .get("idempotency.messages")
                .tag("consumer", "slow")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    @Configuration(proxyBeanMethods = false)
    static class SlowQueue {

        @Bean
        ArtemisConfigurationCustomizer slowQueueWithoutRedeliveryDelay() {
            return broker -> broker.addAddressSetting(
                    "slow",
                    new AddressSettings()
                            .setDeadLetterAddress(SimpleString.of("DLQ"))
                            .setDefaultConsumerWindowSize(0));
        }

        @Bean
        SlowListener slowListener(CountDownLatch end) {
            return new SlowListener(end);
        }
    }

    static class SlowListener {

        private final CountDownLatch end;

        SlowListener(CountDownLatch end) {
            this.end = end;
        }

        @JmsListener(destination = "slow", concurrency = "2-2")
        @Idempotent(consumer = "slow")
        void on(OrderCreated order) throws InterruptedException {
            end.await();
        }
    }
}
