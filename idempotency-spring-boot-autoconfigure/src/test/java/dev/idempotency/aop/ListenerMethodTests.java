package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Idempotent;
import dev.idempotency.fixture.RecordingOutcomes;
import dev.idempotency.fixture.TestDelivery;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Lazy;
import org.springframework.util.ReflectionUtils;

/** Which guarded method is the listener of a delivery, however its container came by it. */
class ListenerMethodTests {

    @ParameterizedTest
    @ValueSource(classes = {Handler.class, TextHandler.class, OverridingHandler.class})
    void knowsListenerByInterfaceClassOrOverride(Class<?> declaring) {
        Method listener = declared(declaring);
        application().withBean(OverridingHandler.class).run(context -> {
            OverridingHandler bean = context.getBean(OverridingHandler.class);
            new TestDelivery(message("1"), Map.of(), listener).deliver(() -> call(bean));
            TestDelivery copy = new TestDelivery(message("1"), Map.of(), listener);
            copy.deliver(() -> call(bean));
            assertThat(copy.isSettled()).isTrue();
        });
    }

    @Test
    void knowsListenerByTheMethodOfItsProxy() {
        application().withBean(TextHandler.class).run(context -> {
            TextHandler bean = context.getBean(TextHandler.class);
            Method listener = bean.getClass().getMethod("handle", String.class);
            new TestDelivery(message("1"), Map.of(), listener).deliver(() -> call(bean));
            assertThat(context.getBean(RecordingOutcomes.class).messageIds()).containsExactly("1");
        });
    }

    @Test
    void takesNoDeliveryOfAnotherMethodOfTheBean() {
        application().withBean(TwoMethods.class).run(context -> {
            Method listener = ReflectionUtils.findMethod(TwoMethods.class, "handle", Object.class);
            TestDelivery delivery = new TestDelivery(message("1"), Map.of(), listener);
            delivery.deliver(() -> {
                context.getBean(TwoMethods.class).handle("text");
                return null;
            });
            assertThat(context.getBean(RecordingOutcomes.class).messageIds()).containsExactly("null");
        });
    }

    @Test
    void givesCallOfTheListenerByItselfAnIdOfItsOwn() {
        application().withBean(Recursive.class).run(context -> {
            Method listener = ReflectionUtils.findMethod(Recursive.class, "on", Map.class);
            TestDelivery delivery = new TestDelivery(message("1"), Map.of(), listener);
            delivery.deliver(() -> {
                context.getBean(Recursive.class).on(Map.of("next", message("2")));
                return null;
            });
            assertThat(context.getBean(RecordingOutcomes.class).messageIds()).containsExactly("2", "1");
        });
    }

    private static Method declared(Class<?> type) {
        return Stream.of(type.getDeclaredMethods())
                .filter(method -> method.getName().equals("handle") && !method.isBridge())
                .findFirst()
                .orElseThrow();
    }

    private static Object call(TextHandler handler) {
        handler.handle("text");
        return null;
    }

    interface Handler<T> {
        void handle(T message);
    }

    static class TextHandler implements Handler<String> {
        @Override
        @Idempotent
        public void handle(String message) {}
    }

    static class OverridingHandler extends TextHandler {
        @Override
        public void handle(String message) {}
    }

    static class TwoMethods {
        @Idempotent(consumer = "a")
        public void handle(Object message) {}

        @Idempotent(consumer = "b")
        public void handle(String message) {}
    }

    static class Recursive {

        @Autowired
        @Lazy
        private Recursive self;

        @Idempotent
        @SuppressWarnings("unchecked")
        public void on(Map<String, Object> message) {
            if (message.get("next") instanceof Map<?, ?> next) {
                self.on((Map<String, Object>) next);
            }
        }
    }
}
