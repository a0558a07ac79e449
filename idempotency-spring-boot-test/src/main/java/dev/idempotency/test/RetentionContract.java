package dev.idempotency.test;

import static dev.idempotency.test.DistinctKeys.keyOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.MessageKey;
import dev.idempotency.MessageState.Status;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a mark lives, in every store. */
abstract class RetentionContract extends StoreUnderTest {

    private static final MessageKey A = keyOf("A");
    private static final MessageKey B = keyOf("B");

    private IdempotencyStore store;

    /** Returns how often the tests repeat a race among eight threads; 50 times by default. */
    protected int races() {
        return 50;
    }

    @BeforeEach
    void createStore() {
        store = createStore(namespace(), retention());
    }

    IdempotencyStore store() {
        return store;
    }

    @Test
    @DisplayName("O73: sees a mark until its retention ends")
    void seesMarkUntilRetentionEnds() {
        store.remember(A);
        pass(retention().minus(moment()));
        assertThat(store.seen(A)).isTrue();
        assertThat(store.state(A).status()).isEqualTo(Status.SEEN);
    }

    @Test
    @DisplayName("O73: takes an id for new once its retention has ended, cleaned up or not")
    void takesIdForNewOnceRetentionHasEnded() {
        store.remember(A);
        store.remember(B);
        pass(retention().plus(moment()));
        assertThat(store.seen(A)).isFalse();
        assertThat(store.seenAmong(List.of(A, B))).isEmpty();
        assertThat(store.state(A).status()).isEqualTo(Status.UNKNOWN);
        assertThat(store.remember(A)).isTrue();
        assertThat(store.rememberAll(List.of(A, B))).containsExactly(B);
        pass(half(retention()));
        assertThat(store.seenAmong(List.of(A, B))).containsExactlyInAnyOrder(A, B);
    }

    @Test
    @DisplayName("O73: does not extend retention for a duplicate")
    void doesNotExtendRetentionForDuplicate() {
        store.remember(A);
        pass(half(retention()));
        assertThat(store.seen(A)).isTrue();
        assertThat(store.seenAmong(List.of(A))).containsExactly(A);
        assertThat(store.remember(A)).isFalse();
        assertThat(store.rememberAll(List.of(A))).isEmpty();
        store.state(A);
        pass(half(retention()).plus(moment()));
        assertThat(store.seen(A)).isFalse();
    }

    @Test
    void countsRetentionAnewAfterForget() {
        store.remember(A);
        pass(half(retention()));
        store.forget(A);
        store.remember(A);
        pass(half(retention()).plus(moment()));
        assertThat(store.seen(A)).isTrue();
    }

    @Test
    @DisplayName("O20, O73: answers true to one of eight threads that remember what is no longer retained")
    void letsOneOfManyThreadsRememberAgain() throws Exception {
        List<MessageKey> keys =
                IntStream.range(0, races()).mapToObj(i -> keyOf("race" + i)).toList();
        store.rememberAll(keys);
        pass(retention().plus(moment()));
        List<List<MessageKey>> marked = Hammer.run(thread ->
                () -> shuffled(keys, thread).stream().filter(store::remember).toList());
        assertThat(marked.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(keys);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT-0.001S"})
    @DisplayName("O81: refuses a retention that is not positive")
    void refusesRetentionThatIsNotPositive(Duration retention) {
        assertThatIllegalArgumentException().isThrownBy(() -> createStore(namespace(), retention));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.000000001S", "PT0.001S", "PT0.5S"})
    @DisplayName("O81: ends a retention below a second, and neither at once nor never")
    void endsTinyRetention(Duration retention) {
        IdempotencyStore tiny = createStore(namespace(), retention);
        tiny.remember(A);
        if (retention.compareTo(moment()) > 0) {
            assertThat(tiny.seen(A)).isTrue();
        }
        pass(retention.plus(moment()));
        assertThat(tiny.seen(A)).isFalse();
        assertThat(tiny.remember(A)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT2400000H", "PT2562047788015215H30M7S"})
    @DisplayName("O81: keeps a mark for a huge retention instead of overflowing")
    void keepsMarkForHugeRetention(Duration retention) {
        IdempotencyStore huge = createStore(namespace(), retention);
        assertThat(huge.remember(A)).isTrue();
        pass(retention());
        assertThat(huge.seen(A)).isTrue();
        assertThat(huge.remember(A)).isFalse();
        assertThat(huge.rememberAll(List.of(A, B))).containsExactly(B);
        assertThat(huge.state(A).status()).isEqualTo(Status.SEEN);
    }
}
