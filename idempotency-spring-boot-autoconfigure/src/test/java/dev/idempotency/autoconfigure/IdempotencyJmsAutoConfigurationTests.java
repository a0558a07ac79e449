package dev.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import dev.idempotency.Idempotent;
import dev.idempotency.fixture.Startup;
import dev.idempotency.listener.JmsListenerBinding;
import jakarta.jms.ConnectionFactory;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.annotation.EnableJms;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.config.JmsListenerEndpointRegistry;

/** The binding to JMS listeners is there with JMS, and only while the guard is on. */
@ExtendWith(OutputCaptureExtension.class)
class IdempotencyJmsAutoConfigurationTests {

    private final ApplicationContextRunner application = Startup.application()
            .withConfiguration(AutoConfigurations.of(IdempotencyJmsAutoConfiguration.class))
            .withUserConfiguration(JmsApplication.class);

    @Test
    void bindsWithoutBringingUpBeansEarly(CapturedOutput output) {
        application.run(context -> assertThat(context)
                .hasSingleBean(JmsListenerBinding.class)
                .hasSingleBean(JmsListenerEndpointRegistry.class));
        assertThat(output).doesNotContain("not eligible for getting processed");
    }

    @Test
    void bindsNothingWhenSwitchedOff() {
        application
                .withPropertyValues("idempotency.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(JmsListenerBinding.class));
    }

    // K9, O67: an annotation that is there twice stands inside another one
    @Test
    void refusesAsynchronousListenerOfTwoDestinations() {
        application
                .withBean(TwoDestinations.class)
                .run(context -> assertThat(Startup.faultsOf(context))
                        .singleElement()
                        .asString()
                        .contains("A @JmsListener cannot return before its work is done"));
    }

    // Spring's own post-processor would end the start by a trace
    @Test
    void namesPrivateListeners() {
        application.withBean(PrivateListener.class).run(context -> {
            assertThat(Startup.faultsOf(context))
                    .containsExactly(
                            PrivateListener.class.getName()
                                    + "#first: A private method cannot be intercepted. Remove 'private'.",
                            PrivateListener.class.getName()
                                    + "#second: A private method cannot be intercepted. Remove 'private'.");
            assertThat(Startup.analysisOf(context).getDescription())
                    .contains("#first: A private", "#second: A private");
        });
    }

    static class PrivateListener {
        @JmsListener(destination = "first")
        @Idempotent
        private void first(String payload) {}

        @JmsListener(destination = "first")
        @JmsListener(destination = "second")
        @Idempotent
        private void second(String payload) {}
    }

    static class TwoDestinations {
        @JmsListener(destination = "first")
        @JmsListener(destination = "second")
        @Idempotent
        public CompletableFuture<Void> on(String payload) {
            return new CompletableFuture<>();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableJms
    static class JmsApplication {

        @Bean
        ConnectionFactory connectionFactory() {
            return mock(ConnectionFactory.class);
        }

        @Bean
        DefaultJmsListenerContainerFactory jmsListenerContainerFactory(ConnectionFactory connectionFactory) {
            DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
            factory.setConnectionFactory(connectionFactory);
            return factory;
        }
    }
}
