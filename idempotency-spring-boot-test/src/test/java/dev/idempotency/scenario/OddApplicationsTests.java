package dev.idempotency.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.Idempotent;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.store.memory.InMemoryIdempotencyStore;
import dev.idempotency.test.RecordingListener;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Session;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Objects;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.Advisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.config.JmsListenerEndpointRegistry;

/** K9, K10, K14: applications that do what one would not expect, and are guarded all the same. */
class OddApplicationsTests {

    private static final MessageKey KEY = MessageKey.of("orders", "A");

    private OutlivingBroker outliving;

    @BeforeEach
    void startBroker() throws Exception {
        outliving = OutlivingBroker.start();
    }

    @AfterEach
    void stopBroker() {
        outliving.close();
    }

    private static void settled(Broker broker) {
        await().atMost(Duration.ofSeconds(20)).until(() -> broker.depth("orders") == 0);
    }

    // O27: where a message cannot be given back, it is waited for even inside a transaction
    @Test
    void doesNotLoseACopyOfAnAutomaticallyAcknowledgedSessionInsideATransaction() throws Exception {
        try (Broker broker = Broker.start(outliving, AcknowledgedOnReceipt.class)) {
            OverlapTests.FirstRun first = broker.bean(OverlapTests.FirstRun.class);
            RecordingListener guarding = broker.bean(RecordingListener.class);
            OverlapTests.deliverTwice(broker, first);
            await().until(() -> guarding.results("claim").contains("held"));

            first.endBy(new IllegalStateException("first"));

            await().atMost(Duration.ofSeconds(20))
                    .until(() -> guarding.outcomes().contains(Outcome.PROCESSED));
            assertThat(broker.bean(Effects.class).all()).containsExactly("A");
        }
    }

    @Test
    void bindsARegistryThatAPostProcessorMakesTheContextCreateEarly() {
        try (Broker broker = Broker.start(outliving, EarlyRegistry.class)) {
            broker.sendText("orders", Envelopes.withId("A"));
            broker.sendText("orders", Envelopes.withId("A", 1));
            RecordingListener guarding = broker.bean(RecordingListener.class);

            await().until(() -> guarding.outcomes().size() == 2);
            assertThat(guarding.outcomes()).containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE);
        }
    }

    @Test
    void guardsOnceWhereTwoProxyCreatorsMeet() {
        try (Broker broker = Broker.start(outliving, TwoProxies.class, "idempotency.on-missing-id=reject")) {
            broker.sendText("orders", Envelopes.withId("A"));
            settled(broker);

            assertThat(broker.bean(RecordingListener.class).outcomes()).containsExactly(Outcome.PROCESSED);
            assertThat(broker.bean(Effects.class).all()).containsExactly("A");
        }
    }

    // K2: what is deferred comes again as a whole, and is not run by another call of the same delivery
    @Test
    void doesNotRunADeferredMessageThatAdviceCallsForAgain() {
        try (Broker broker = Broker.start(outliving, CallsTwice.class, "idempotency.in-flight-wait=0")) {
            broker.bean(InMemoryIdempotencyStore.class).claim(KEY, "another", Duration.ofMinutes(5));
            RecordingListener guarding = broker.bean(RecordingListener.class);
            broker.sendText("orders", Envelopes.withId("A"));

            await().atMost(Duration.ofSeconds(20))
                    .until(() -> guarding.outcomes().size() >= 2);
            assertThat(guarding.outcomes()).containsOnly(Outcome.IN_FLIGHT);
            assertThat(broker.bean(Effects.class).all()).isEmpty();
        }
    }

    // K7
    @Test
    void settlesASkipThoughAdviceRefusesItsEmptyResult() {
        try (Broker broker = Broker.start(outliving, RefusesNull.class)) {
            broker.bean(InMemoryIdempotencyStore.class).remember(KEY);
            broker.sendText("orders", Envelopes.withId("A"));
            RecordingListener guarding = broker.bean(RecordingListener.class);

            await().until(() -> !guarding.outcomes().isEmpty());
            settled(broker);
            assertThat(guarding.outcomes()).containsExactly(Outcome.DUPLICATE);
            assertThat(broker.deadLetters()).isZero();
        }
    }

    private static Advisor outermost(MethodInterceptor advice) {
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(
                new StaticMethodMatcherPointcut() {
                    @Override
                    public boolean matches(Method method, Class<?> type) {
                        return type == Orders.class && method.getName().equals("on");
                    }
                },
                advice);
        advisor.setOrder(0);
        return advisor;
    }

    static class Orders {

        private final Effects effects;

        Orders(Effects effects) {
            this.effects = effects;
        }

        @JmsListener(destination = "orders")
        @Idempotent(consumer = "orders")
        public String on(OrderCreated order) {
            effects.add(order.order());
            return null;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({
        Effects.class,
        RecordingListener.class,
        OverlapTests.FirstRun.class,
        OverlapTests.Orders.class,
        OrderCreated.Converter.class
    })
    static class AcknowledgedOnReceipt {

        @Bean
        DefaultJmsListenerContainerFactory jmsListenerContainerFactory(
                ConnectionFactory connections, OrderCreated.Converter converter) {
            DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
            factory.setConnectionFactory(connections);
            factory.setMessageConverter(converter);
            factory.setSessionTransacted(false);
            factory.setSessionAcknowledgeMode(Session.AUTO_ACKNOWLEDGE);
            factory.setTransactionManager(new DataSourceTransactionManager(
                    new DriverManagerDataSource("jdbc:h2:mem:acknowledged-on-receipt;DB_CLOSE_DELAY=-1")));
            return factory;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Effects.class, RecordingListener.class, Orders.class, OrderCreated.Converter.class})
    static class EarlyRegistry {

        @Bean
        static BeanPostProcessor postProcessor(JmsListenerEndpointRegistry registry) {
            return new BeanPostProcessor() {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Effects.class, RecordingListener.class, Orders.class, OrderCreated.Converter.class})
    static class TwoProxies {

        @Bean
        static DefaultAdvisorAutoProxyCreator secondCreator() {
            DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
            creator.setProxyTargetClass(true);
            return creator;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Effects.class, RecordingListener.class, Orders.class, OrderCreated.Converter.class})
    static class CallsTwice {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor advisor() {
            return outermost(call -> {
                Object result = ((ProxyMethodInvocation) call).invocableClone().proceed();
                return result != null ? result : call.proceed();
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Effects.class, RecordingListener.class, Orders.class, OrderCreated.Converter.class})
    static class RefusesNull {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor advisor() {
            return outermost(call -> Objects.requireNonNull(call.proceed(), "result"));
        }
    }
}
