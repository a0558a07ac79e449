package dev.idempotency.test;

import static dev.idempotency.test.DistinctKeys.copyOf;
import static dev.idempotency.test.DistinctKeys.keyOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.MessageKey;
import dev.idempotency.MessageState.Status;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every {@link IdempotencyStore} must hold. The test of a store extends this class, or the contract of the
 * capability that the store has, and says how a store is made and how time passes for it.
 *
 * @since 0.1
 */
public abstract class IdempotencyStoreContract extends RetentionContract {

    private static final MessageKey A = keyOf("A");
    private static final MessageKey B = keyOf("B");
    private static final MessageKey C = keyOf("C");

    /** Creates a contract; JUnit does so for each test. */
    protected IdempotencyStoreContract() {}

    static Stream<Arguments> distinctKeys() {
        return DistinctKeys.pairs();
    }

    @Test
    void doesNotSeeUnknownMessage() {
        assertThat(store().seen(A)).isFalse();
        assertThat(store().state(A).status()).isEqualTo(Status.UNKNOWN);
    }

    @Test
    void seesRememberedMessage() {
        assertThat(store().remember(A)).isTrue();
        assertThat(store().seen(copyOf(A))).isTrue();
        assertThat(store().seen(B)).isFalse();
        assertThat(store().state(A).status()).isEqualTo(Status.SEEN);
    }

    @Test
    void answersFalseWhenRememberedAgain() {
        store().remember(A);
        assertThat(store().remember(copyOf(A))).isFalse();
        assertThat(store().seen(A)).isTrue();
    }

    @Test
    void forgetsMark() {
        store().remember(A);
        store().remember(B);
        store().forget(copyOf(A));
        assertThat(store().seen(A)).isFalse();
        assertThat(store().state(A).status()).isEqualTo(Status.UNKNOWN);
        assertThat(store().seen(B)).isTrue();
        assertThat(store().remember(A)).isTrue();
    }

    @Test
    void forgetsUnknownMessageWithoutError() {
        assertThatNoException().isThrownBy(() -> store().forget(A));
        assertThat(store().remember(A)).isTrue();
    }

    @Test
    @DisplayName("O35: keeps one mark for a message however often it is remembered")
    void keepsOneMarkForMessage() {
        IntStream.range(0, 100).forEach(i -> store().remember(copyOf(A)));
        store().forget(A);
        assertThat(store().seen(A)).isFalse();
    }

    @ParameterizedTest
    @MethodSource("distinctKeys")
    @DisplayName("O33, O44, O45: tells apart what is not equal byte for byte")
    void tellsDistinctKeysApart(List<MessageKey> pair) {
        MessageKey one = pair.get(0);
        MessageKey other = pair.get(1);
        assertThat(store().remember(one)).isTrue();
        assertThat(store().seen(other)).isFalse();
        assertThat(store().seenAmong(pair)).containsExactly(one);
        assertThat(store().remember(other)).isTrue();
        store().forget(one);
        assertThat(store().seenAmong(pair)).containsExactly(other);
        assertThat(store().rememberAll(pair)).containsExactly(one);
        assertThat(store().seen(copyOf(one))).isTrue();
        assertThat(store().seen(copyOf(other))).isTrue();
    }

    @Test
    void findsSeenOnesAmongMessages() {
        store().remember(A);
        store().remember(C);
        assertThat(store().seenAmong(List.of(A, B, copyOf(A), C, B))).containsExactlyInAnyOrder(A, C);
        assertThat(store().seenAmong(List.of(B))).isEmpty();
        assertThat(store().seenAmong(Set.of())).isEmpty();
        assertThat(store().seen(B)).isFalse();
    }

    @Test
    @DisplayName("O16: remembers all messages of a batch, known ones and repeats among them")
    void remembersAllMessages() {
        store().remember(B);
        MessageKey other = MessageKey.of("billing", "B");
        assertThat(store().rememberAll(List.of(A, B, other, copyOf(A), C))).containsExactlyInAnyOrder(A, other, C);
        assertThat(store().seenAmong(List.of(A, B, C, other))).hasSize(4);
        assertThat(store().rememberAll(List.of(A, B))).isEmpty();
        assertThat(store().rememberAll(Collections.emptyList())).isEmpty();
    }

    @Test
    void remembersLargeBatch() {
        List<MessageKey> keys =
                IntStream.range(0, 1_100).mapToObj(i -> keyOf("id" + i)).toList();
        store().remember(keys.get(7));
        assertThat(store().rememberAll(keys)).hasSize(1_099).doesNotContain(keys.get(7));
        assertThat(store().seenAmong(keys)).hasSize(1_100);
    }

    @Test
    @DisplayName("O36: shares marks within a namespace only")
    void sharesMarksWithinNamespaceOnly() {
        store().remember(MessageKey.of("orders", "A"));
        assertThat(createStore(namespace(), retention()).seen(A)).isEqualTo(isShared());
        assertThat(createStore(namespace() + "-2", retention()).seen(A)).isFalse();
        assertThat(createStore(namespace() + ":orders", retention()).seen(MessageKey.of("A", "A")))
                .isFalse();
    }

    @Test
    @DisplayName("O36: does not let namespace and consumer run together")
    void doesNotLetNamespaceAndConsumerRunTogether() {
        for (String separator : List.of(":", "/", "|", ".", " ", "\\")) {
            createStore(namespace() + separator + "a", retention()).remember(MessageKey.of("b", "A"));
            assertThat(store().seen(MessageKey.of("a" + separator + "b", "A"))).isFalse();
        }
    }

    @Test
    @DisplayName("O20: answers true to exactly one of eight threads that remember a message at the same time")
    void letsOneOfManyThreadsRememberFirst() throws Exception {
        for (int race = 0; race < races(); race++) {
            MessageKey key = keyOf("race" + race);
            assertThat(Hammer.run(thread -> () -> store().remember(key))).containsOnlyOnce(true);
        }
    }

    @Test
    @DisplayName("O19: remembers batches of the same messages in different order without losing one")
    void remembersBatchesInDifferentOrder() throws Exception {
        for (int race = 0; race < races(); race++) {
            String prefix = "race" + race + "-";
            List<MessageKey> keys =
                    IntStream.range(0, 10).mapToObj(i -> keyOf(prefix + i)).toList();
            List<Set<MessageKey>> marked = Hammer.run(thread -> () -> store().rememberAll(shuffled(keys, thread)));
            assertThat(marked.stream().flatMap(Set::stream)).containsExactlyInAnyOrderElementsOf(keys);
        }
    }
}
