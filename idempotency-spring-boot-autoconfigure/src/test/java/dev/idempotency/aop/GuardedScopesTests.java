package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Idempotent;
import dev.idempotency.Outcome;
import dev.idempotency.fixture.RecordingOutcomes;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;

/** Kind K9: however long a guarded bean lives, and whoever makes it, it is guarded once, under one name (O34). */
class GuardedScopesTests {

    private static final AtomicInteger EFFECTS = new AtomicInteger();
    private static final AtomicInteger BEANS = new AtomicInteger();

    @BeforeEach
    void forget() {
        EFFECTS.set(0);
        BEANS.set(0);
    }

    @Test
    void guardsEachInstanceOfPrototypeAsOneConsumer() {
        application()
                .withBean(
                        "listener",
                        Listener.class,
                        Listener::new,
                        bean -> bean.setScope(BeanDefinition.SCOPE_PROTOTYPE))
                .run(GuardedScopesTests::takesEffectOnce);
    }

    @Test
    void leavesLazyBeanAloneUntilItIsCalledAndGuardsItThen() {
        application()
                .withBean("listener", Listener.class, Listener::new, bean -> bean.setLazyInit(true))
                .run(context -> {
                    assertThat(BEANS).hasValue(0);
                    takesEffectOnce(context);
                });
    }

    @Test
    void guardsTargetOfScopedProxyOnce() {
        application()
                .withInitializer(context -> context.getBeanFactory().registerScope("thread", new SimpleThreadScope()))
                .withUserConfiguration(ScopedConfiguration.class)
                .run(GuardedScopesTests::takesEffectOnce);
    }

    @Test
    void guardsTargetOfScopedInterfaceProxy() {
        application()
                .withInitializer(context -> context.getBeanFactory().registerScope("thread", new SimpleThreadScope()))
                .withUserConfiguration(ScopedInterfaceConfiguration.class)
                .run(context -> {
                    RecordingOutcomes outcomes = context.getBean(RecordingOutcomes.class);
                    assertThat(outcomes.consumers()).containsExactly("ListeningHandler.handle");
                    context.getBean(Handler.class).handle(message("1"));
                    context.getBean(Handler.class).handle(message("1"));
                    assertThat(outcomes.outcomes()).containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE);
                });
    }

    @Test
    void guardsWhatFactoryBeanMakes() {
        application().withBean(ListenerFactory.class).run(GuardedScopesTests::takesEffectOnce);
    }

    @Test
    void guardsMethodOfConfigurationClassUnderTheNameOfThatClass() {
        application().withUserConfiguration(ListeningConfiguration.class).run(context -> {
            ListeningConfiguration bean = context.getBean(ListeningConfiguration.class);
            bean.on(message("1"));
            bean.on(message("1"));
            assertThat(context.getBean(RecordingOutcomes.class).consumers())
                    .containsExactly("ListeningConfiguration.on");
            assertThat(context.getBean(RecordingOutcomes.class).outcomesOf("ListeningConfiguration.on"))
                    .containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE);
        });
    }

    @Test
    void seesTheGuardUnderProxyOfOthers() {
        application().withBean(OutermostProxy.class).withBean(Listener.class).run(GuardedScopesTests::takesEffectOnce);
    }

    private static void takesEffectOnce(AssertableApplicationContext context) {
        assertThat(context).hasNotFailed();
        RecordingOutcomes outcomes = context.getBean(RecordingOutcomes.class);
        assertThat(outcomes.consumers()).containsExactly("Listener.on");
        context.getBean(Listener.class).on(message("1"));
        context.getBean(Listener.class).on(message("1"));
        context.getBean(Listener.class).on(Map.of());
        assertThat(EFFECTS).hasValue(2);
        assertThat(outcomes.outcomesOf("Listener.on"))
                .containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE, Outcome.UNIDENTIFIED);
    }

    static class Listener {

        // Where the proxy is an instance of its own, its constructor is not called.
        Listener() {
            BEANS.incrementAndGet();
        }

        @Idempotent
        public void on(Map<String, Object> message) {
            EFFECTS.incrementAndGet();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ScopedConfiguration {

        @Bean
        @Scope(value = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Listener listener() {
            return new Listener();
        }
    }

    interface Handler {
        void handle(Map<String, Object> message);
    }

    static class ListeningHandler implements Handler {
        @Idempotent
        @Override
        public void handle(Map<String, Object> message) {
            EFFECTS.incrementAndGet();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ScopedInterfaceConfiguration {

        @Bean
        @Scope(value = "thread", proxyMode = ScopedProxyMode.INTERFACES)
        ListeningHandler handler() {
            return new ListeningHandler();
        }
    }

    static class ListenerFactory implements FactoryBean<Listener> {

        @Override
        public Listener getObject() {
            return new Listener();
        }

        @Override
        public Class<?> getObjectType() {
            return Listener.class;
        }
    }

    @Configuration
    static class ListeningConfiguration {

        @Idempotent
        public void on(Map<String, Object> message) {
            EFFECTS.incrementAndGet();
        }

        @Bean
        @Lazy
        Object other() {
            return "other";
        }
    }

    static class OutermostProxy implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            if (!(bean instanceof Listener)) {
                return bean;
            }
            ProxyFactory factory = new ProxyFactory(bean);
            factory.setProxyTargetClass(true);
            factory.addAdvice((MethodInterceptor) invocation -> invocation.proceed());
            return factory.getProxy();
        }
    }
}
