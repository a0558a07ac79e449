package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.idempotency.Idempotent;
import dev.idempotency.Outcome;
import dev.idempotency.fixture.RecordingOutcomes;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.scheduling.annotation.EnableAsync;

/** Kinds K4 and K9: beans whose class or advice is known only when they are made, at the start or after it. */
class LateBeansTests {

    interface Handler {
        @Idempotent
        void on(Map<String, Object> message);
    }

    static class Billing implements Handler {
        @Override
        public void on(Map<String, Object> message) {}
    }

    private static void takesEffectOnce(ApplicationContextRunner application, String bean, String consumer) {
        application.run(context -> {
            Handler handler = context.getBean(bean, Handler.class);
            handler.on(message("1"));
            handler.on(message("1"));
            assertThat(context.getBean(RecordingOutcomes.class).consumers()).contains(consumer);
            assertThat(context.getBean(RecordingOutcomes.class).outcomesOf(consumer))
                    .containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE);
        });
    }

    // a client, a gateway: there is no class but that of the proxy
    @Test
    void guardsProxiesUnderTheNameOfTheirInterface() {
        takesEffectOnce(application().withBean("made", Handler.class, LateBeansTests::proxy), "made", "Handler.on");
        takesEffectOnce(application().withBean("made", ProxyFactoryBean.class), "made", "Handler.on");
        takesEffectOnce(application().withBean("made", LazyProxyFactoryBean.class), "made", "Handler.on");
        takesEffectOnce(application().withUserConfiguration(LazyProxy.class), "made", "Handler.on");
    }

    @Test
    void guardsProxiesOfAnInterfaceThatInheritsTheMethod() {
        takesEffectOnce(
                application().withBean("made", SpecialHandler.class, LateBeansTests::specialProxy),
                "made",
                "SpecialHandler.on");
    }

    private static Handler proxy() {
        return (Handler) Proxy.newProxyInstance(
                Handler.class.getClassLoader(),
                new Class<?>[] {Runnable.class, Handler.class},
                (self, method, arguments) -> null);
    }

    private static SpecialHandler specialProxy() {
        return (SpecialHandler) Proxy.newProxyInstance(
                Handler.class.getClassLoader(),
                new Class<?>[] {SpecialHandler.class},
                (self, method, arguments) -> null);
    }

    interface SpecialHandler extends Handler {}

    static class ProxyFactoryBean implements FactoryBean<Handler> {

        @Override
        public Handler getObject() {
            return proxy();
        }

        @Override
        public Class<?> getObjectType() {
            return Handler.class;
        }
    }

    // whose type nobody knows before
    static class LazyProxyFactoryBean extends ProxyFactoryBean {

        @Override
        public Class<?> getObjectType() {
            return Object.class;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyProxy {

        @Bean
        @Lazy
        Handler made() {
            return proxy();
        }
    }

    // O34: their histories would be one, and messages of one would be lost to the other
    @Test
    void refusesAnotherBeanOfAClassThatIsKnownOnlyWhenItIsMade() {
        for (Class<?> configuration : new Class<?>[] {FromFactory.class, FromLazyMethod.class, FromPrototype.class}) {
            application()
                    .withBean("declared", Billing.class)
                    .withUserConfiguration(configuration)
                    .run(context -> assertRefused(
                            () -> context.getBean("made"),
                            "Billing#on(Map) of bean 'declared'",
                            "Billing#on(Map) of bean 'made': They share the consumer name 'Billing.on'"));
        }
    }

    @Test
    void letsTheOtherBeLaterIfOneIsRefused() {
        application()
                .withBean("declared", Billing.class)
                .withBean("lazy", Lazily.class, Lazily::new, bean -> bean.setLazyInit(true))
                .withUserConfiguration(FromLazyMethod.class)
                .withBean("sharing", FactoryBean.class, SharingFactory::new)
                .run(context -> {
                    assertRefused(() -> context.getBean("sharing"), "They share the consumer name 'Lazily.on'");
                    context.getBean(Lazily.class).on(message("1"));
                    assertRefused(() -> context.getBean("sharing"), "They share the consumer name 'Lazily.on'");
                });
    }

    static class Lazily extends Billing {}

    static class SharingFactory extends ProxyFactoryBean {
        @Override
        public Handler getObject() {
            return new Lazily();
        }
    }

    @Test
    void refusesItAtTheStartIfItIsMadeThere() {
        application()
                .withBean("declared", Billing.class)
                .withUserConfiguration(FromFactory.class)
                .withBean("user", Object.class, () -> new Object(), bean -> bean.setDependsOn("made"))
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(InvalidIdempotentMethodsException.class)
                        .hasMessageContaining("of bean 'made': They share the consumer name 'Billing.on'"));
    }

    private static void assertRefused(ThrowingCallable making, String... parts) {
        assertThatExceptionOfType(BeanCreationException.class)
                .isThrownBy(making)
                .havingRootCause()
                .isInstanceOf(InvalidIdempotentMethodsException.class)
                .satisfies(cause -> assertThat(cause.getMessage()).contains(parts));
    }

    @Configuration(proxyBeanMethods = false)
    static class FromFactory {

        @Bean
        static FactoryBean<Handler> made() {
            return new ProxyFactoryBean() {
                @Override
                public Handler getObject() {
                    return new Billing();
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FromLazyMethod {

        @Bean
        @Lazy
        Handler made() {
            return new Billing();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FromPrototype {

        @Bean
        @Scope("prototype")
        Handler made() {
            return new Billing();
        }
    }

    // one bean has one name, however often it is made and of whatever class
    @Test
    void takesAllInstancesOfABeanForOneConsumer() {
        application().withUserConfiguration(FromPrototype.class, Changing.class).run(context -> {
            for (int time = 0; time < 3; time++) {
                context.getBean("made", Handler.class).on(message("1"));
                context.getBean("changing", Changed.class).on(message("1"));
            }
            RecordingOutcomes outcomes = context.getBean(RecordingOutcomes.class);
            assertThat(outcomes.outcomesOf("Billing.on"))
                    .containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE, Outcome.DUPLICATE);
            assertThat(outcomes.outcomesOf("changing"))
                    .containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE, Outcome.DUPLICATE);
        });
    }

    // what was found of the first says nothing of the next
    @Test
    void refusesInstanceOfAnotherClassThanTheFirstIfItSharesAName() {
        application()
                .withBean("declared", Billing.class)
                .withUserConfiguration(Turning.class)
                .run(context -> {
                    context.getBean("made", Handler.class).on(message("1"));
                    assertRefused(() -> context.getBean("made"), "They share the consumer name 'Billing.on'");
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Turning {

        private boolean turned;

        @Bean
        @Scope("prototype")
        Handler made() {
            Handler made = turned ? new Billing() : new Lazily();
            turned = true;
            return made;
        }
    }

    interface Changed {
        @Idempotent(consumer = "changing")
        void on(Map<String, Object> message);
    }

    static class First implements Changed {
        @Override
        public void on(Map<String, Object> message) {}
    }

    static class Second implements Changed {
        @Override
        public void on(Map<String, Object> message) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Changing {

        private int made;

        @Bean
        @Scope("prototype")
        Changed changing() {
            made++;
            return made % 2 == 0 ? new First() : new Second();
        }
    }

    // its caller would not learn of a failure
    @Test
    void refusesLateBeanThatAnAnnotationOfTheApplicationMakesAsynchronous() {
        application()
                .withUserConfiguration(OwnAsync.class)
                .withBean("late", Backgrounded.class, Backgrounded::new, bean -> bean.setLazyInit(true))
                .run(context -> assertRefused(
                        () -> context.getBean("late"),
                        Backgrounded.class.getName() + "#on: An @Async method that returns void cannot be guarded"));
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Background {}

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(annotation = Background.class)
    static class OwnAsync {}

    static class Backgrounded {

        @Background
        @Idempotent
        public void on(Map<String, Object> message) {}
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void tellsOnceWhatIsGuarded(CapturedOutput output) {
        application()
                .withUserConfiguration(FromPrototype.class)
                .withBean("late", Late.class, Late::new, bean -> bean.setLazyInit(true))
                .run(context -> {
                    assertThat(output).contains("- Late.on (").doesNotContain("- Billing.on (");
                    context.getBean(Late.class);
                    context.getBean("made");
                    context.getBean("made");
                    assertThat(output.getAll().split("- Late.on \\(", -1)).hasSize(2);
                    assertThat(output.getAll().split("- Billing.on \\(", -1)).hasSize(2);
                    assertThat(context.getBean(RecordingOutcomes.class).consumers())
                            .contains("Billing.on");
                });
    }

    static class Late {
        @Idempotent
        public void on(Map<String, Object> message) {}
    }
}
