package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.idempotency.Idempotent;
import dev.idempotency.MissingMessageIdException;
import dev.idempotency.Outcome;
import dev.idempotency.fixture.RecordingOutcomes;
import dev.idempotency.fixture.TestDelivery;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.ReflectionUtils;

/** Kind K6: an expression that fails, or gives what is no id, is a message without an id (O41, O42). */
@ExtendWith(OutputCaptureExtension.class)
class ExpressionFailureTests {

    private static final String WARNING =
            "No message id for consumer Listener.on: 'messageId' of " + Listener.class.getName() + "#on gives a ";

    private final ApplicationContextRunner application = application()
            .withPropertyValues("expression=@ids.of(#value)")
            .withBean("ids", Ids.class)
            .withBean(Listener.class);

    @ParameterizedTest
    @EnumSource(Failure.class)
    void runsAndCountsMessageWhoseIdFails(Failure failure) {
        application.run(context -> {
            Listener listener = context.getBean(Listener.class);
            listener.on(failure);
            listener.on(failure);
            listener.on("next");
            assertThat(listener.handled()).isEqualTo(3);
            assertUnidentifiedTwice(context.getBean(RecordingOutcomes.class), Outcome.UNIDENTIFIED);
        });
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void rejectsMessageWhoseIdFailsWhereThePolicySaysSo(Failure failure) {
        application.withPropertyValues("idempotency.on-missing-id=reject").run(context -> {
            Listener listener = context.getBean(Listener.class);
            assertThatExceptionOfType(MissingMessageIdException.class).isThrownBy(() -> listener.on(failure));
            assertThatExceptionOfType(MissingMessageIdException.class).isThrownBy(() -> listener.on(failure));
            listener.on("next");
            assertThat(listener.handled()).isEqualTo(1);
            assertUnidentifiedTwice(context.getBean(RecordingOutcomes.class), Outcome.REJECTED);
        });
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void runsDeliveryWhoseIdFails(Failure failure) {
        application.run(context -> {
            Listener listener = context.getBean(Listener.class);
            for (Object value : List.of(failure, failure, "next")) {
                TestDelivery delivery = delivery();
                delivery.deliver(() -> call(listener, value));
                assertThat(delivery.isSettled()).isFalse();
                assertThat(delivery.deferral()).isNull();
            }
            assertThat(listener.handled()).isEqualTo(3);
            assertUnidentifiedTwice(context.getBean(RecordingOutcomes.class), Outcome.UNIDENTIFIED);
        });
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void rejectsDeliveryWhoseIdFailsWhereThePolicySaysSo(Failure failure) {
        application.withPropertyValues("idempotency.on-missing-id=reject").run(context -> {
            Listener listener = context.getBean(Listener.class);
            for (int i = 0; i < 2; i++) {
                TestDelivery delivery = delivery();
                assertThatExceptionOfType(MissingMessageIdException.class)
                        .isThrownBy(() -> delivery.run(() -> call(listener, failure)));
                assertThat(delivery.isSettled()).isFalse();
                assertThat(delivery.deferral()).isNull();
            }
            delivery().deliver(() -> call(listener, "next"));
            assertThat(listener.handled()).isEqualTo(1);
            assertUnidentifiedTwice(context.getBean(RecordingOutcomes.class), Outcome.REJECTED);
        });
    }

    static Stream<Arguments> warnsOnceOfTypeThatIsNoId() {
        return Stream.of(
                Arguments.of(Optional.of("secret"), "java.util.Optional."),
                Arguments.of(1.5, "java.lang.Double."),
                Arguments.of(new BigDecimal("12345"), "java.math.BigDecimal."),
                Arguments.of(Outcome.PROCESSED, "dev.idempotency.Outcome."),
                Arguments.of(new long[] {12345}, "long[]."),
                Arguments.of(Map.of("secret", "12345"), "java.util.ImmutableCollections$Map1."),
                Arguments.of(new byte[] {(byte) 0xff}, "byte[]."),
                Arguments.of(List.of("secret", 1.5), "java.lang.Double."),
                Arguments.of(new Object[] {"secret", true}, "java.lang.Boolean."),
                Arguments.of(List.of("secret", new ArrayList<>(List.of("12345"))), "java.util.ArrayList."));
    }

    @ParameterizedTest
    @MethodSource
    void warnsOnceOfTypeThatIsNoId(Object value, String type, CapturedOutput output) {
        application.withPropertyValues("expression=#value").run(context -> {
            Listener listener = context.getBean(Listener.class);
            listener.on(value);
            listener.on(value);
            listener.on("next");
            assertThat(listener.handled()).isEqualTo(3);
            assertUnidentifiedTwice(context.getBean(RecordingOutcomes.class), Outcome.UNIDENTIFIED);
            assertThat(output).contains("WARN").containsOnlyOnce(WARNING + type + " Only text, integral numbers");
            assertThat(output).doesNotContain("secret", "12345");
        });
    }

    static Stream<Arguments> saysNothingOfValueThatIsOnlyMissing() {
        return Stream.of(
                        null,
                        "",
                        " ",
                        new StringBuilder(" "),
                        List.of(),
                        new Object[0],
                        Arrays.asList(null, "x"),
                        List.of(" ", "x"),
                        Arrays.asList(null, null))
                .map(value -> Arguments.of(new Object[] {value}));
    }

    @ParameterizedTest
    @MethodSource
    void saysNothingOfValueThatIsOnlyMissing(Object value, CapturedOutput output) {
        application.withPropertyValues("expression=#value").run(context -> {
            Listener listener = context.getBean(Listener.class);
            listener.on(value);
            listener.on(value);
            listener.on("next");
            assertThat(listener.handled()).isEqualTo(3);
            assertUnidentifiedTwice(context.getBean(RecordingOutcomes.class), Outcome.UNIDENTIFIED);
            assertThat(output).doesNotContain(WARNING).contains("no usable id for consumer Listener.on");
        });
    }

    @Test
    void warnsOfEachMethodOnItsOwn(CapturedOutput output) {
        application.withBean(Other.class).run(context -> {
            context.getBean(Listener.class).on(1.5);
            context.getBean(Other.class).on(1.5);
            assertThat(output)
                    .containsOnlyOnce("No message id for consumer Listener.on:")
                    .containsOnlyOnce("No message id for consumer Other.on:");
        });
    }

    private static void assertUnidentifiedTwice(RecordingOutcomes outcomes, Outcome first) {
        assertThat(outcomes.outcomes()).containsExactly(first, first, Outcome.PROCESSED);
        assertThat(outcomes.messageIds()).containsExactly("null", "null", "next");
        // only the next message is stored
        assertThat(outcomes.operations()).containsExactly("claim:acquired", "complete:done");
    }

    private static TestDelivery delivery() {
        return new TestDelivery("raw", Map.of(), ReflectionUtils.findMethod(Listener.class, "on", Object.class));
    }

    private static Object call(Listener listener, Object value) {
        listener.on(value);
        return null;
    }

    enum Failure {
        RUNTIME_EXCEPTION,
        CHECKED_EXCEPTION,
        ERROR,
        LINKAGE_ERROR,
        STACK_OVERFLOW,
        STACK_OVERFLOW_OF_THE_VALUE;

        Object fail() throws Throwable {
            return switch (this) {
                case RUNTIME_EXCEPTION -> throw new IllegalStateException("no id");
                case CHECKED_EXCEPTION -> throw new IOException("no id");
                case ERROR -> throw new AssertionError("no id");
                case LINKAGE_ERROR -> throw new NoClassDefFoundError("no/Id");
                case STACK_OVERFLOW -> fail();
                // not wrapped by the evaluation, which is over by then
                case STACK_OVERFLOW_OF_THE_VALUE -> new EndlessText();
            };
        }
    }

    private static final class EndlessText implements CharSequence {

        @Override
        public int length() {
            return 1;
        }

        @Override
        public char charAt(int index) {
            return 'x';
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return this;
        }

        @Override
        public String toString() {
            return subSequence(0, 1).toString();
        }
    }

    public static class Ids {

        public Object of(Object value) {
            return value instanceof Failure failure ? sneaky(failure) : value;
        }

        private static Object sneaky(Failure failure) {
            try {
                return failure.fail();
            } catch (Throwable ex) {
                return Ids.<RuntimeException>undeclared(ex);
            }
        }

        @SuppressWarnings("unchecked")
        private static <E extends Throwable> Object undeclared(Throwable ex) throws E {
            throw (E) ex;
        }
    }

    static class Listener {

        private int handled;

        @Idempotent(messageId = "${expression}")
        public void on(Object value) {
            handled++;
        }

        int handled() {
            return handled;
        }
    }

    static class Other {
        @Idempotent(messageId = "${expression}")
        public void on(Object value) {}
    }
}
