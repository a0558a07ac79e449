package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.Idempotent;
import dev.idempotency.MessageInFlightException;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.fixture.RecordingOutcomes;
import dev.idempotency.fixture.TestDelivery;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ReflectionUtils;

/** Kind K7, and section 3 of the design: what a skip and a deferral are where a container has the message. */
class BoundDeliveryTests {

    private final ApplicationContextRunner application = application()
            .withPropertyValues("idempotency.in-flight-wait=0s")
            .withBean(Inner.class)
            .withBean(Listener.class);

    @Test
    void settlesSkipAndReturnsTheEmptyResult() {
        application.run(context -> {
            Listener listener = context.getBean(Listener.class);
            assertThat(delivery("1").deliver(() -> listener.on("payload"))).isEqualTo("handled");
            TestDelivery copy = delivery("1").withEmptyResult("empty");
            assertThat(copy.deliver(() -> listener.on("payload"))).isEqualTo("empty");
            assertThat(copy.isSettled()).isTrue();
            assertThat(copy.deferral()).isNull();
        });
    }

    @Test
    void settlesNothingThatWasRun() {
        application.run(context -> {
            TestDelivery delivery = delivery("1");
            delivery.deliver(() -> context.getBean(Listener.class).on("payload"));
            assertThat(delivery.isSettled()).isFalse();
        });
    }

    @Test
    void flagsDeferralInsteadOfThrowingIt() {
        application.run(context -> {
            hold(context, "Listener.on", "1");
            TestDelivery delivery = delivery("1").withEmptyResult("empty");
            assertThat(delivery.deliver(() -> context.getBean(Listener.class).on("payload")))
                    .isEqualTo("empty");
            assertThat(delivery.deferral()).isInstanceOf(MessageInFlightException.class);
            assertThat(delivery.isSettled()).isFalse();
            assertThat(context.getBean(RecordingOutcomes.class).outcomes()).containsExactly(Outcome.IN_FLIGHT);
        });
    }

    // O07: a retry within one delivery handles the same message
    @Test
    void takesTheDeliveryAgainAfterAFailure() {
        application.run(context -> {
            Listener listener = context.getBean(Listener.class);
            listener.next(() -> {
                throw new IllegalStateException("first attempt");
            });
            delivery("1").deliver(() -> {
                assertThatThrownBy(() -> listener.on("payload")).hasMessage("first attempt");
                listener.next(() -> "handled");
                return listener.on("payload");
            });
            assertThat(context.getBean(RecordingOutcomes.class).outcomes())
                    .containsExactly(Outcome.FAILED, Outcome.PROCESSED);
        });
    }

    // K2: what is deferred comes again as a whole
    @Test
    void doesNotRunWhatWasDeferredInTheSameDelivery() {
        application.run(context -> {
            hold(context, "Listener.on", "1");
            TestDelivery delivery = delivery("1").withEmptyResult("empty");
            Listener listener = context.getBean(Listener.class);
            assertThat(delivery.deliver(() -> listener.on("payload") + listener.on("payload")))
                    .isEqualTo("emptyempty");
            assertThat(context.getBean(RecordingOutcomes.class).outcomes()).containsExactly(Outcome.IN_FLIGHT);
        });
    }

    @Test
    void passesOnWhatTheHandlerThrows() {
        application.run(context -> {
            TestDelivery delivery = delivery("1");
            IllegalStateException failure = new IllegalStateException("handler");
            context.getBean(Listener.class).next(() -> {
                throw failure;
            });
            assertThatThrownBy(() ->
                            delivery.run(() -> context.getBean(Listener.class).on("payload")))
                    .isSameAs(failure);
            assertThat(delivery.isSettled()).isFalse();
            assertThat(delivery.deferral()).isNull();
        });
    }

    @Test
    void throwsDeferralOfMethodThatIsNotTheListener() {
        application.run(context -> {
            hold(context, "Inner.on", "inner");
            TestDelivery delivery = delivery("1");
            assertThatExceptionOfType(MessageInFlightException.class)
                    .isThrownBy(() -> delivery.run(() -> {
                        context.getBean(Inner.class).on(message("inner"));
                        return null;
                    }));
            assertThat(delivery.deferral()).isNull();
        });
    }

    @Test
    void givesMethodThatIsNotTheListenerAnIdOfItsOwn() {
        application.run(context -> {
            TestDelivery delivery = delivery("1");
            Inner inner = context.getBean(Inner.class);
            delivery.deliver(() -> {
                inner.on(message("inner"));
                inner.on(message("inner"));
                inner.on(Map.of());
                return null;
            });
            assertThat(delivery.isSettled()).isFalse();
            assertThat(context.getBean(RecordingOutcomes.class).messageIds()).containsExactly("inner", "inner", "null");
        });
    }

    @Test
    void givesNestedCallAnIdOfItsOwnEvenWhereTheListenerIsNotKnown() {
        application.run(context -> {
            Listener listener = context.getBean(Listener.class);
            TestDelivery delivery = new TestDelivery(message("outer"), Map.of(), null);
            delivery.deliver(() -> {
                callsInner(context, listener);
                return null;
            });
            assertThat(delivery.isSettled()).isFalse();
            RecordingOutcomes outcomes = context.getBean(RecordingOutcomes.class);
            assertThat(outcomes.messageIds()).containsExactly("inner", "inner", "outer");
            assertThat(outcomes.outcomes()).containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE, Outcome.PROCESSED);
        });
    }

    private static void callsInner(AssertableApplicationContext context, Listener listener) {
        context.getBean(Listener.class).next(() -> {
            context.getBean(Inner.class).on(message("inner"));
            context.getBean(Inner.class).on(message("inner"));
            return "handled";
        });
        listener.on("payload");
    }

    private static void hold(AssertableApplicationContext context, String consumer, String id) {
        context.getBean(ClaimingIdempotencyStore.class)
                .claim(MessageKey.of(consumer, id), "another", Duration.ofMinutes(1));
    }

    private static TestDelivery delivery(String id) {
        return new TestDelivery(message(id), Map.of(), ReflectionUtils.findMethod(Listener.class, "on", String.class));
    }

    static class Listener {

        private Callable<String> next = () -> "handled";

        void next(Callable<String> work) {
            this.next = work;
        }

        @Idempotent
        public String on(String payload) {
            try {
                return next.call();
            } catch (RuntimeException ex) {
                throw ex;
            } catch (Exception ex) {
                throw new IllegalStateException(ex);
            }
        }
    }

    static class Inner {
        @Idempotent
        public void on(Map<String, Object> message) {}
    }
}
