package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Idempotent;
import dev.idempotency.Outcome;
import dev.idempotency.aop.inherited.OpenBase;
import dev.idempotency.fixture.RecordingOutcomes;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.util.ReflectionUtils;

/** Kind K9: wherever the annotation is inherited from, and whichever kind of proxy stands round it (O61, O63, O65). */
class InheritedShapesTests {

    static Stream<Arguments> guardsUnderEitherProxy() {
        return Stream.of(true, false)
                .flatMap(classes -> Stream.of(
                        Arguments.of(classes, DeepHandler.class, Top.class, "handle", "DeepHandler.handle"),
                        Arguments.of(classes, Covariant.class, Answering.class, "answer", "Covariant.answer"),
                        Arguments.of(classes, ByDefault.class, Defaulting.class, "handle", "ByDefault.handle"),
                        Arguments.of(classes, ComposedHandler.class, Composed.class, "handle", "composed"),
                        Arguments.of(classes, Specific.class, Contract.class, "handle", "most specific"),
                        Arguments.of(classes, Consuming.class, Consumer.class, "accept", "Consuming.accept"),
                        Arguments.of(classes, Applying.class, Function.class, "apply", "Applying.apply")));
    }

    @ParameterizedTest
    @MethodSource
    void guardsUnderEitherProxy(
            boolean classes, Class<?> beanClass, Class<?> interfaceType, String method, String consumer) {
        application()
                .withPropertyValues("spring.aop.proxy-target-class=" + classes)
                .withBean(beanClass)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Object bean = context.getBean(interfaceType);
                    assertThat(AopUtils.isCglibProxy(bean)).isEqualTo(classes);
                    assertThat(AopUtils.isJdkDynamicProxy(bean)).isNotEqualTo(classes);
                    Method called = ReflectionUtils.findMethod(interfaceType, method, (Class<?>[]) null);
                    ReflectionUtils.makeAccessible(called);
                    for (String id : new String[] {"1", "1", "2"}) {
                        ReflectionUtils.invokeMethod(called, bean, argumentFor(beanClass, id));
                    }
                    RecordingOutcomes outcomes = context.getBean(RecordingOutcomes.class);
                    assertThat(outcomes.consumers()).containsExactly(consumer);
                    assertThat(outcomes.outcomesOf(consumer))
                            .containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE, Outcome.PROCESSED);
                });
    }

    private static Object argumentFor(Class<?> beanClass, String id) {
        return beanClass == Consuming.class
                ? MessageBuilder.withPayload("text").setHeader("MessageId", id).build()
                : message(id);
    }

    @Test
    void guardsPublicAndProtectedMethodsOfABaseInAnotherPackage() {
        application().withBean(Derived.class).run(context -> {
            Derived bean = context.getBean(Derived.class);
            bean.open(message("1"));
            bean.open(message("1"));
            bean.callShielded(bean, "1");
            bean.callShielded(bean, "1");
            assertThat(bean.effects()).isEqualTo(2);
            assertThat(context.getBean(RecordingOutcomes.class).consumers())
                    .containsExactlyInAnyOrder("Derived.open", "Derived.shielded");
        });
    }

    interface Top<T> {
        @Idempotent
        void handle(T message);
    }

    abstract static class Middle<M extends Map<String, Object>> implements Top<M> {}

    static class DeepHandler extends Middle<Map<String, Object>> {
        @Override
        public void handle(Map<String, Object> message) {}
    }

    interface Answering {
        Object answer(Map<String, Object> message);
    }

    static class Covariant implements Answering {
        @Idempotent
        @Override
        public String answer(Map<String, Object> message) {
            return "answer";
        }
    }

    interface Defaulting {
        @Idempotent
        default void handle(Map<String, Object> message) {}
    }

    static class ByDefault implements Defaulting {}

    interface Composed {
        @GuardedShapesTests.Once(as = "composed")
        void handle(Map<String, Object> message);
    }

    static class ComposedHandler implements Composed {
        @Override
        public void handle(Map<String, Object> message) {}
    }

    interface Contract {
        @Idempotent(consumer = "general")
        void handle(Map<String, Object> message);
    }

    static class Specific implements Contract {
        @Idempotent(consumer = "most specific")
        @Override
        public void handle(Map<String, Object> message) {}
    }

    static class Consuming implements Consumer<Message<String>> {
        @Idempotent
        @Override
        public void accept(Message<String> message) {}
    }

    static class Applying implements Function<Map<String, Object>, String> {
        @Idempotent
        @Override
        public String apply(Map<String, Object> message) {
            return "applied";
        }
    }

    static class Derived extends OpenBase {
        void callShielded(Derived other, String id) {
            other.shielded(message(id));
        }
    }
}
