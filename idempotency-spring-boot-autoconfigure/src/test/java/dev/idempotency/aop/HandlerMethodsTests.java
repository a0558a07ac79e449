package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.idempotency.Idempotent;
import dev.idempotency.Outcome;
import dev.idempotency.fixture.RecordingOutcomes;
import dev.idempotency.fixture.TestDelivery;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.util.ReflectionUtils;

/** Kind K9: a listener with several handler methods, called as the listener adapters of Spring call them (O62, O33). */
class HandlerMethodsTests {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void guardsEachHandlerMethodAndLeavesItsParametersAsTheyAre(boolean classes) {
        application()
                .withPropertyValues("spring.aop.proxy-target-class=" + classes)
                .withBean(Handlers.class)
                .run(context -> {
                    Object bean = context.getBean(Contract.class);
                    assertThat(AopUtils.isCglibProxy(bean)).isEqualTo(classes);
                    assertThat(context.getBean(RecordingOutcomes.class).consumers())
                            .containsExactlyInAnyOrder("Handlers.created", "Handlers.cancelled");

                    deliver(bean, "created", "a");
                    deliver(bean, "created", "a");
                    deliver(bean, "cancelled", "a");

                    assertThat(Handlers.RECEIVED).containsExactly("created text eu", "cancelled text eu");
                    RecordingOutcomes outcomes = context.getBean(RecordingOutcomes.class);
                    assertThat(outcomes.outcomesOf("Handlers.created"))
                            .containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE);
                    assertThat(outcomes.outcomesOf("Handlers.cancelled")).containsExactly(Outcome.PROCESSED);
                });
    }

    // each has a history of its own, and neither is part of the other
    @Test
    void countsNestedCallForTheSameIdUnderAnotherConsumerByItself() {
        application().withBean(Inner.class).withBean(Outer.class).run(context -> {
            Outer outer = context.getBean(Outer.class);
            outer.on(Map.of("meta", Map.of("id", "1")));
            outer.on(Map.of("meta", Map.of("id", "1")));
            RecordingOutcomes outcomes = context.getBean(RecordingOutcomes.class);
            assertThat(outcomes.outcomesOf("Outer.on")).containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE);
            assertThat(outcomes.outcomesOf("Inner.on")).containsExactly(Outcome.PROCESSED);
        });
    }

    // a nested call that has succeeded stays so, as any effect of a failed run does
    @Test
    void skipsNestedCallThatSucceededBeforeTheOuterFailed() {
        application().withBean(Inner.class).withBean(Outer.class).run(context -> {
            Outer outer = context.getBean(Outer.class);
            outer.fail(true);
            assertThat(catchThrowable(() -> outer.on(Map.of("meta", Map.of("id", "1")))))
                    .hasMessage("outer");
            outer.fail(false);
            outer.on(Map.of("meta", Map.of("id", "1")));
            RecordingOutcomes outcomes = context.getBean(RecordingOutcomes.class);
            assertThat(outcomes.outcomesOf("Outer.on")).containsExactly(Outcome.FAILED, Outcome.PROCESSED);
            assertThat(outcomes.outcomesOf("Inner.on")).containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE);
        });
    }

    private static void deliver(Object bean, String name, String id) {
        DefaultMessageHandlerMethodFactory factory = new DefaultMessageHandlerMethodFactory();
        factory.afterPropertiesSet();
        Method declared = ReflectionUtils.findMethod(Handlers.class, name, (Class<?>[]) null);
        InvocableHandlerMethod handler =
                factory.createInvocableHandlerMethod(bean, AopUtils.selectInvocableMethod(declared, bean.getClass()));
        Message<String> message =
                MessageBuilder.withPayload("text").setHeader("region", "eu").build();
        new TestDelivery("text", Map.of("MessageId", id), handler.getMethod()).deliver(() -> handler.invoke(message));
    }

    interface Contract {

        @Idempotent
        void created(@Payload String payload, @Header("region") String region);

        @Idempotent
        void cancelled(@Payload String payload, @Header("region") String region);
    }

    static class Handlers implements Contract {

        private static final List<String> RECEIVED = new CopyOnWriteArrayList<>();

        Handlers() {
            RECEIVED.clear();
        }

        @Override
        public void created(String payload, String region) {
            RECEIVED.add("created " + payload + " " + region);
        }

        @Override
        public void cancelled(String payload, String region) {
            RECEIVED.add("cancelled " + payload + " " + region);
        }
    }

    static class Inner {
        @Idempotent
        public void on(Map<String, Object> message) {}
    }

    static class Outer {

        private final Inner inner;
        private boolean failing;

        Outer(Inner inner) {
            this.inner = inner;
        }

        void fail(boolean yes) {
            this.failing = yes;
        }

        @Idempotent
        public void on(Map<String, Object> message) {
            inner.on(message);
            if (failing) {
                throw new IllegalStateException("outer");
            }
        }
    }
}
