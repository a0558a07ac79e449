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
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactoryBean;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Kinds K9 and K15: guarded and counted once, also where the application puts a second proxy round the bean. */
class TwoProxiesTests {

    @Test
    void guardsOnceUnderASecondCreatorOfAllAdvisors() {
        application()
                .withUserConfiguration(SecondCreator.class)
                .withBean("listener", Listener.class)
                .run(TwoProxiesTests::takesEffectOnce);
    }

    @Test
    void guardsOnceUnderACreatorForNames() {
        application()
                .withUserConfiguration(NamedCreator.class)
                .withBean("listener", Listener.class)
                .run(context -> {
                    takesEffectOnce(context);
                    assertThat(context.getBean("others", Others.class).calls()).hasValue(2);
                });
    }

    @Test
    void guardsOnceUnderAProxyMadeByHand() {
        application().withUserConfiguration(ByHand.class).run(context -> {
            takesEffectOnce(context);
            assertThat(context.getBean("others", Others.class).calls()).hasValue(2);
        });
    }

    private static void takesEffectOnce(AssertableApplicationContext context) {
        assertThat(context).hasNotFailed();
        Listener listener = context.getBean("listener", Listener.class);
        listener.on(message("1"));
        listener.on(message("1"));
        assertThat(context.getBean(RecordingOutcomes.class).outcomes())
                .containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE);
    }

    static class Listener {
        @Idempotent(consumer = "listener")
        public void on(Map<String, Object> message) {}
    }

    record Others(AtomicInteger calls) {}

    private static MethodInterceptor counting(AtomicInteger calls) {
        return invocation -> {
            if (invocation.getMethod().getName().equals("on")) {
                calls.incrementAndGet();
            }
            return invocation.proceed();
        };
    }

    @Configuration(proxyBeanMethods = false)
    static class SecondCreator {
        @Bean
        static DefaultAdvisorAutoProxyCreator second() {
            DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
            creator.setProxyTargetClass(true);
            return creator;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NamedCreator {

        private static final AtomicInteger CALLS = new AtomicInteger();

        @Bean
        static BeanNameAutoProxyCreator named() {
            BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
            creator.setBeanNames("listener");
            creator.setInterceptorNames("counter");
            creator.setProxyTargetClass(true);
            return creator;
        }

        @Bean
        static MethodInterceptor counter() {
            CALLS.set(0);
            return counting(CALLS);
        }

        @Bean
        static Others others() {
            return new Others(CALLS);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByHand {

        private final AtomicInteger calls = new AtomicInteger();

        @Bean
        Others others() {
            return new Others(calls);
        }

        @Bean(autowireCandidate = false)
        Listener target() {
            return new Listener();
        }

        @Bean
        ProxyFactoryBean listener() {
            ProxyFactoryBean factory = new ProxyFactoryBean();
            factory.setTargetName("target");
            factory.setProxyTargetClass(true);
            factory.addAdvice(counting(calls));
            return factory;
        }
    }
}
