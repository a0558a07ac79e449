package dev.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.idempotency.IdempotencyMode;
import dev.idempotency.IdempotencyStore;
import dev.idempotency.MessageInFlightException;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.fixture.RecordingOutcomes;
import dev.idempotency.fixture.TestDelivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.BeanUtils;

class WrapTests {

    private final FaultyStore store = new FaultyStore();
    private final RecordingOutcomes outcomes = new RecordingOutcomes();
    private final IdempotencyTemplate template = IdempotencyTemplate.builder(store)
            .listener(outcomes)
            .inFlightWait(Duration.ZERO)
            .build();

    @Test
    void guardsALambdaByTheIdOfItsArgument() {
        List<String> handled = new ArrayList<>();
        Consumer<String> guarded = template.wrap("orders", (String message) -> {
            handled.add(message);
        });

        guarded.accept("A");
        guarded.accept("A");
        guarded.accept("B");

        assertThat(handled).containsExactly("A", "B");
    }

    @Test
    void returnsNullForASkippedFunctionCall() {
        Function<String, String> guarded = template.wrap("orders", (String message) -> message + "!");

        assertThat(guarded.apply("A")).isEqualTo("A!");
        assertThat(guarded.apply("A")).isNull();
    }

    @Test
    void passesWhatTheLambdaThrows() {
        IllegalStateException failure = new IllegalStateException("x");
        Consumer<String> guarded = template.wrap("orders", (String message) -> {
            assertThat(message).isEqualTo("A");
            fail(failure);
        });

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> guarded.accept("A"))
                .isSameAs(failure);
        assertThat(store.seen(MessageKey.of("orders", "A"))).isFalse();
    }

    private static void fail(RuntimeException failure) {
        throw failure;
    }

    @Test
    void throwsLaterWhereNoContainerIsThereToTakeTheMessageBack() {
        store.claim(MessageKey.of("orders", "A"), "other", Duration.ofMinutes(1));
        Function<String, String> guarded = template.wrap("orders", (String message) -> message);

        assertThatExceptionOfType(MessageInFlightException.class).isThrownBy(() -> guarded.apply("A"));
    }

    @Test
    void takesTheIdFromTheDeliveryAndTellsItWhatBecameOfTheMessage() throws Throwable {
        Function<String, String> guarded = template.wrap("orders", (String message) -> message);
        TestDelivery first = new TestDelivery("id-1", Map.of(), null);
        TestDelivery duplicate = new TestDelivery("id-1", Map.of(), null);
        TestDelivery held = new TestDelivery("id-2", Map.of(), null);
        store.claim(MessageKey.of("orders", "id-2"), "other", Duration.ofMinutes(1));

        assertThat(first.<String>run(() -> guarded.apply("converted"))).isEqualTo("converted");
        assertThat(duplicate.<String>run(() -> guarded.apply("converted"))).isNull();
        assertThat(held.<String>run(() -> guarded.apply("converted"))).isNull();

        assertThat(first.isSettled()).isFalse();
        assertThat(duplicate.isSettled()).isTrue();
        assertThat(held.deferral()).isInstanceOf(MessageInFlightException.class);
        assertThat(outcomes.outcomes()).containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE, Outcome.IN_FLIGHT);
    }

    // Two calls with the id of one delivery would lose the second.
    @Test
    void takesADeliveryOnceForItsId() throws Throwable {
        Function<String, String> guarded = template.wrap("orders", (String message) -> message);
        TestDelivery delivery = new TestDelivery("id-1", Map.of(), null);

        List<String> handled = delivery.run(() -> List.of(guarded.apply("line-1"), guarded.apply("line-2")));

        assertThat(handled).containsExactly("line-1", "line-2");
        assertThat(store.seen(MessageKey.of("orders", "id-1"))).isTrue();
        assertThat(store.seen(MessageKey.of("orders", "line-2"))).isTrue();
        assertThat(delivery.isSettled()).isFalse();
    }

    @Test
    void takesADeliveryAgainAfterAFailure() throws Throwable {
        List<String> attempts = new ArrayList<>();
        Consumer<String> guarded = template.wrap("orders", (String message) -> {
            attempts.add(message);
            if (attempts.size() == 1) {
                fail(new IllegalStateException("first attempt"));
            }
        });

        new TestDelivery("id-1", Map.of(), null).run(() -> {
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> guarded.accept("converted"));
            guarded.accept("converted");
            return null;
        });

        assertThat(attempts).hasSize(2);
        assertThat(store.seen(MessageKey.of("orders", "id-1"))).isTrue();
    }

    // K6: neither a message too deep for a resolver nor a library it lacks stops the consumer
    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, StackOverflowError.class, NoClassDefFoundError.class})
    void treatsAResolverThatFailsAsNoId(Class<? extends Throwable> failure) {
        IdempotencyTemplate broken = IdempotencyTemplate.builder(store)
                .listener(outcomes)
                .messageIdResolver((body, headers) -> {
                    throw WrapTests.<RuntimeException>made(failure);
                })
                .build();

        broken.wrap("orders", (String message) -> message).apply("A");

        assertThat(outcomes.outcomes()).containsExactly(Outcome.UNIDENTIFIED);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Throwable> X made(Class<? extends Throwable> failure) throws X {
        throw (X) BeanUtils.instantiateClass(failure);
    }

    @Test
    void refusesAModeThatTheStoreCannotGive() {
        ThreeVerbs threeVerbs = new ThreeVerbs();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdempotencyTemplate.builder(threeVerbs)
                        .mode(IdempotencyMode.CLAIM)
                        .build())
                .withMessageContaining("CLAIM")
                .withMessageContaining("ClaimingIdempotencyStore");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdempotencyTemplate.builder(store)
                        .mode(IdempotencyMode.TRANSACTIONAL)
                        .build())
                .withMessageContaining("TransactionalIdempotencyStore");
        assertThat(IdempotencyTemplate.builder(threeVerbs).build().mode()).isEqualTo(IdempotencyMode.AFTER_SUCCESS);
        assertThat(IdempotencyTemplate.builder(store).build().mode()).isEqualTo(IdempotencyMode.CLAIM);
    }

    // O29, O81
    @Test
    void refusesTimesThatCannotBe() {
        for (Duration bad : List.of(Duration.ZERO, Duration.ofMillis(-1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> IdempotencyTemplate.builder(store).lease(bad));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> IdempotencyTemplate.builder(store).leaseLimit(bad));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdempotencyTemplate.builder(store).inFlightWait(Duration.ofMillis(-1)));
    }

    private static final class ThreeVerbs implements IdempotencyStore {

        private final Set<String> marks = new HashSet<>();

        @Override
        public boolean seen(MessageKey key) {
            return marks.contains(key.storedId());
        }

        @Override
        public boolean remember(MessageKey key) {
            return marks.add(key.storedId());
        }

        @Override
        public void forget(MessageKey key) {
            marks.remove(key.storedId());
        }
    }
}
