package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

import dev.idempotency.Claim;
import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.IdempotencyStore;
import dev.idempotency.Idempotent;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.StoreUnavailableException;
import dev.idempotency.fixture.RecordingOutcomes;
import dev.idempotency.fixture.TestDelivery;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kinds K1 and K12: whatever the handler throws passes the advice unchanged and leaves no mark (O01, O11, O12, O13). */
class HandlerFailureTests {

    static Stream<Throwable> passesOnTheSameInstanceAndRunsAgain() {
        return Stream.of(
                new IllegalStateException("unchecked"),
                new IOException("checked"),
                new InterruptedException("interrupted"),
                new AssertionError("error"),
                new StackOverflowError(),
                new NoClassDefFoundError("missing"));
    }

    @ParameterizedTest
    @MethodSource
    void passesOnTheSameInstanceAndRunsAgain(Throwable failure) {
        application().withBean(Listener.class).run(context -> {
            Listener listener = context.getBean(Listener.class);
            listener.failWith(failure);
            assertThatThrownBy(() -> listener.on(message("1"))).isSameAs(failure);
            assertThat(context.getBean(IdempotencyStore.class).seen(MessageKey.of("Listener.on", "1")))
                    .isFalse();
            listener.failWith(null);
            listener.on(message("1"));
            listener.on(message("1"));
            assertThat(listener.successes()).isEqualTo(1);
            assertThat(context.getBean(RecordingOutcomes.class).outcomes())
                    .containsExactly(Outcome.FAILED, Outcome.PROCESSED, Outcome.DUPLICATE);
        });
    }

    @Test
    void prefersFailureOfTheHandlerToFailureOfTheRelease() {
        ClaimingIdempotencyStore store = mock(ClaimingIdempotencyStore.class);
        given(store.claim(any(), any(), any())).willReturn(Claim.ACQUIRED);
        IllegalStateException down = new IllegalStateException("down");
        willThrow(down).given(store).release(any(), any());
        IOException failure = new IOException("handler");
        application()
                .withBean(IdempotencyStore.class, () -> store)
                .withBean(Listener.class)
                .run(context -> {
                    Listener listener = context.getBean(Listener.class);
                    listener.failWith(failure);
                    Throwable thrown = catchThrowable(() -> listener.on(message("1")));
                    assertThat(thrown).isSameAs(failure).hasSuppressedException(down);
                    assertThat(context.getBean(RecordingOutcomes.class).outcomes())
                            .containsExactly(Outcome.FAILED);
                });
    }

    @Test
    void givesMessageBackWhenTheStoreDoesNotAnswer() {
        ClaimingIdempotencyStore store = mock(ClaimingIdempotencyStore.class);
        given(store.claim(any(), any(), any())).willThrow(new IllegalStateException("down"));
        application()
                .withBean(IdempotencyStore.class, () -> store)
                .withBean(Listener.class)
                .run(context -> {
                    Listener listener = context.getBean(Listener.class);
                    TestDelivery delivery = new TestDelivery(message("1"), Map.of(), null);
                    delivery.deliver(() -> {
                        listener.on(message("1"));
                        return null;
                    });
                    assertThat(delivery.deferral()).isInstanceOf(StoreUnavailableException.class);
                    assertThat(listener.successes()).isZero();
                });
    }

    static class Listener {

        private Throwable failure;
        private int successes;

        void failWith(Throwable next) {
            this.failure = next;
        }

        int successes() {
            return successes;
        }

        @Idempotent
        public void on(Map<String, Object> message) throws IOException, InterruptedException {
            if (failure instanceof IOException checked) {
                throw checked;
            }
            if (failure instanceof InterruptedException interrupted) {
                throw interrupted;
            }
            if (failure instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            if (failure instanceof Error error) {
                throw error;
            }
            successes++;
        }
    }
}
