package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Idempotent;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Lazy;

/** Kind K9: a call from within the same object passes no proxy; it is found where it can be found (O61). */
@ExtendWith(OutputCaptureExtension.class)
class OwnCallsTests {

    static Stream<Arguments> findsOwnCall() {
        return Stream.of(
                Arguments.of(Plain.class, "Plain#receive calls Plain#on"),
                Arguments.of(WithArguments.class, "WithArguments#receive calls WithArguments#on"),
                Arguments.of(InLambda.class, "InLambda#receive calls InLambda#on"),
                Arguments.of(ByReference.class, "ByReference#receive calls ByReference#on"),
                Arguments.of(FromGuarded.class, "FromGuarded#first calls FromGuarded#on"),
                Arguments.of(FromBase.class, "Base#receive calls Base#on"),
                Arguments.of(OfBase.class, "OfBase#receive calls OfBase#on"),
                Arguments.of(Erased.class, "GenericBase#receive calls GenericBase#on"));
    }

    @ParameterizedTest
    @MethodSource
    void findsOwnCall(Class<?> bean, String call, CapturedOutput output) {
        String prefix = OwnCallsTests.class.getName() + "$";
        String shown = Stream.of(call.split(" calls "))
                .map(name -> prefix + name)
                .reduce((a, b) -> a + " calls " + b)
                .orElseThrow();
        application().withBean(bean).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output)
                    .contains("WARN")
                    .containsOnlyOnce("Calls are not guarded")
                    .containsOnlyOnce("- " + shown + System.lineSeparator())
                    .contains("Move the called method to another bean");
        });
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ThroughField.class,
                ThroughProvider.class,
                ThroughParameter.class,
                ThroughCast.class,
                OnAnother.class,
                Overriding.class,
                OverriddenCaller.class,
                OnSubtype.class,
                UnboundReference.class,
                FinalCaller.class,
                Bridged.class,
                NoCalls.class
            })
    void givesNoFalseAlarm(Class<?> bean, CapturedOutput output) {
        application().withBean(bean).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output).contains("Guarded methods").doesNotContain("Calls are not guarded");
        });
    }

    @Test
    void tellsAllCallsInOneWarning(CapturedOutput output) {
        application()
                .withBean(Plain.class)
                .withBean(InLambda.class)
                .run(context -> assertThat(output)
                        .containsOnlyOnce("Calls are not guarded")
                        .contains("Plain#receive calls", "InLambda#receive calls"));
    }

    static class Plain {
        public void receive(String message) {
            on(message);
        }

        @Idempotent
        public void on(String message) {}
    }

    static class WithArguments {
        public void receive(Map<String, String> message) {
            String id = message.get("id");
            this.on(id == null ? "none" : id.trim(), message.size() + 1L, new int[] {1});
        }

        @Idempotent
        public void on(String message, long size, int[] more) {}
    }

    static class InLambda {
        public void receive(List<String> messages) {
            messages.forEach(message -> on(message));
        }

        @Idempotent
        public void on(String message) {}
    }

    static class ByReference {
        public void receive(List<String> messages) {
            messages.forEach(this::on);
        }

        @Idempotent
        public void on(String message) {}
    }

    static class FromGuarded {
        @Idempotent
        public void first(String message) {
            on(message);
        }

        @Idempotent
        public void on(String message) {}
    }

    static class Base {
        public void receive(String message) {
            on(message);
        }

        public void on(String message) {}
    }

    static class FromBase extends Base {
        @Idempotent
        @Override
        public void on(String message) {}
    }

    static class GuardedBase {
        @Idempotent
        public void on(String message) {}
    }

    static class OfBase extends GuardedBase {
        public void receive(String message) {
            on(message);
        }
    }

    abstract static class GenericBase<T> {
        public void receive(T message) {
            on(message);
        }

        public abstract void on(T message);
    }

    static class Erased extends GenericBase<String> {
        @Idempotent
        @Override
        public void on(String message) {}
    }

    static class ThroughField {

        private ThroughField self;

        @Autowired(required = false)
        @Lazy
        void setSelf(ThroughField self) {
            this.self = self;
        }

        public void receive(String message) {
            self.on(message);
        }

        @Idempotent
        public void on(String message) {}
    }

    static class ThroughProvider {

        private final ObjectProvider<ThroughProvider> self;

        ThroughProvider(ObjectProvider<ThroughProvider> self) {
            this.self = self;
        }

        public void receive(String message) {
            self.getObject().on(message);
        }

        @Idempotent
        public void on(String message) {}
    }

    static class ThroughParameter {
        public void receive(ThroughParameter self, String message) {
            self.on(message);
        }

        @Idempotent
        public void on(String message) {}
    }

    static class ThroughCast {
        public void receive(Object self, String message) {
            ((ThroughCast) self).on(message);
        }

        @Idempotent
        public void on(String message) {}
    }

    static class OnAnother {
        private final Plain other = new Plain();

        public void receive(String message) {
            other.on(message);
            Consumer<String> consumer = other::on;
            consumer.accept(message);
        }

        @Idempotent
        public void on(String message) {}
    }

    static class Overriding extends GuardedBase {
        @Override
        public void on(String message) {
            super.on(message);
        }
    }

    static class OverriddenCaller extends FromBase {
        @Override
        public void receive(String message) {}
    }

    static class OnSubtype {
        public void receive(String message) {
            OnSubtype other = new OnSubtype() {};
            other.on(message);
        }

        @Idempotent
        public void on(String message) {}
    }

    static class UnboundReference {
        public void receive(Map<UnboundReference, String> messages) {
            messages.forEach(UnboundReference::on);
        }

        @Idempotent
        public void on(String message) {}
    }

    // A proxy does not override it: it runs on the proxy.
    static class FinalCaller {
        public final void receive(List<String> messages) {
            messages.forEach(message -> on(message));
            on(messages.get(0));
        }

        @Idempotent
        public void on(String message) {}
    }

    interface Handler<T> {
        void on(T message);
    }

    static class Bridged implements Handler<String> {
        @Idempotent
        @Override
        public void on(String message) {}
    }

    static class NoCalls {
        public void receive(String message) {}

        @Idempotent
        public void on(String message) {}
    }
}
