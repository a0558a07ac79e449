package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Idempotent;
import dev.idempotency.Outcome;
import dev.idempotency.fixture.RecordingOutcomes;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.AliasFor;

/** Kind K9: whatever shape a guarded method has, it is guarded, once (O61, O62, O63). */
class GuardedShapesTests {

    private static final AtomicInteger EFFECTS = new AtomicInteger();

    @BeforeEach
    void forgetEffects() {
        EFFECTS.set(0);
    }

    @Test
    void guardsVoidMethod() {
        takesEffectOnce(application(), Plain.class, "Plain.on", (bean, message) -> bean.on(message));
    }

    @Test
    void guardsMethodThatReturnsAnObject() {
        application().withBean(Returning.class).run(context -> {
            Returning bean = context.getBean(Returning.class);
            assertThat(bean.on(message("1"))).isEqualTo("done");
            assertThat(bean.on(message("1"))).isNull();
            assertThat(EFFECTS).hasValue(1);
        });
    }

    @Test
    void guardsBeanProxiedByItsInterfaces() {
        takesEffectOnce(
                application().withPropertyValues("spring.aop.proxy-target-class=false"),
                Handler.class,
                PlainHandler.class,
                "PlainHandler.handle",
                (bean, message) -> {
                    assertThat(AopUtils.isJdkDynamicProxy(bean)).isTrue();
                    bean.handle(message);
                });
    }

    @Test
    void guardsListenerThatImplementsAnInterfaceWithoutAopAutoConfiguration() {
        takesEffectOnce(
                application().withPropertyValues("spring.aop.auto=false"),
                PlainHandler.class,
                "PlainHandler.handle",
                (bean, message) -> {
                    assertThat(AopUtils.isCglibProxy(bean)).isTrue();
                    bean.handle(message);
                });
    }

    @Test
    void guardsMethodAnnotatedOnTheInterface() {
        takesEffectOnce(
                application(),
                ContractHandler.class,
                "ContractHandler.handle",
                (bean, message) -> bean.handle(message));
    }

    @Test
    void guardsMethodAnnotatedOnTheInterfaceOfAnInterfaceProxy() {
        takesEffectOnce(
                application().withPropertyValues("spring.aop.proxy-target-class=false"),
                Contract.class,
                ContractHandler.class,
                "ContractHandler.handle",
                (bean, message) -> bean.handle(message));
    }

    @Test
    void guardsMethodInheritedFromSuperclass() {
        takesEffectOnce(application(), Inheriting.class, "Inheriting.on", (bean, message) -> bean.on(message));
    }

    @Test
    void guardsMethodThatOverridesAnAnnotatedOne() {
        takesEffectOnce(application(), Overriding.class, "Overriding.on", (bean, message) -> bean.on(message));
    }

    @Test
    void guardsMethodWithComposedAnnotationUnderItsAlias() {
        takesEffectOnce(application(), Composed.class, "composed name", (bean, message) -> bean.on(message));
    }

    @Test
    void guardsGenericMethodThroughItsBridge() {
        takesEffectOnce(application(), Generic.class, GenericHandler.class, "GenericHandler.on", (bean, message) -> {
            @SuppressWarnings("unchecked")
            Generic<Map<String, Object>> generic = bean;
            generic.on(message);
        });
    }

    @Test
    void guardsPackagePrivateMethod() {
        takesEffectOnce(application(), PackagePrivate.class, "PackagePrivate.on", (bean, message) -> bean.on(message));
    }

    @Test
    void countsBridgeAndBridgedMethodAsOneConsumer() {
        application().withBean(GenericHandler.class).run(context -> {
            context.getBean(GenericHandler.class).on(message("1"));
            assertThat(context.getBean(RecordingOutcomes.class).consumers()).containsExactly("GenericHandler.on");
        });
    }

    private static <B> void takesEffectOnce(
            ApplicationContextRunner application,
            Class<B> type,
            String consumer,
            BiConsumer<B, Map<String, Object>> call) {
        takesEffectOnce(application, type, type, consumer, call);
    }

    private static <B> void takesEffectOnce(
            ApplicationContextRunner application,
            Class<B> type,
            Class<? extends B> beanClass,
            String consumer,
            BiConsumer<B, Map<String, Object>> call) {
        application.withBean(beanClass).run(context -> {
            assertThat(context).hasNotFailed();
            B bean = context.getBean(type);
            call.accept(bean, message("1"));
            call.accept(bean, message("1"));
            call.accept(bean, message("2"));
            assertThat(EFFECTS).hasValue(2);
            assertThat(context.getBean(RecordingOutcomes.class).outcomesOf(consumer))
                    .containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE, Outcome.PROCESSED);
        });
    }

    static class Plain {
        @Idempotent
        public void on(Map<String, Object> message) {
            EFFECTS.incrementAndGet();
        }
    }

    static class Returning {
        @Idempotent
        public String on(Map<String, Object> message) {
            EFFECTS.incrementAndGet();
            return "done";
        }
    }

    interface Handler {
        void handle(Map<String, Object> message);
    }

    static class PlainHandler implements Handler {
        @Idempotent
        @Override
        public void handle(Map<String, Object> message) {
            EFFECTS.incrementAndGet();
        }
    }

    interface Contract {
        @Idempotent
        void handle(Map<String, Object> message);
    }

    static class ContractHandler implements Contract {
        @Override
        public void handle(Map<String, Object> message) {
            EFFECTS.incrementAndGet();
        }
    }

    static class Inheriting extends Plain {}

    static class Overriding extends Plain {
        @Override
        public void on(Map<String, Object> message) {
            super.on(message);
        }
    }

    @Idempotent
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Once {
        @AliasFor(annotation = Idempotent.class, attribute = "consumer")
        String as();
    }

    static class Composed {
        @Once(as = "composed name")
        public void on(Map<String, Object> message) {
            EFFECTS.incrementAndGet();
        }
    }

    interface Generic<T> {
        @Idempotent
        void on(T message);
    }

    static class GenericHandler implements Generic<Map<String, Object>> {
        @Override
        public void on(Map<String, Object> message) {
            EFFECTS.incrementAndGet();
        }
    }

    static class PackagePrivate {
        @Idempotent
        void on(Map<String, Object> message) {
            EFFECTS.incrementAndGet();
        }
    }
}
