package dev.idempotency.test;

import static dev.idempotency.Claim.ACQUIRED;
import static dev.idempotency.Claim.HELD;
import static dev.idempotency.Claim.SEEN;
import static dev.idempotency.test.DistinctKeys.copyOf;
import static dev.idempotency.test.DistinctKeys.keyOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Claim;
import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.MessageKey;
import dev.idempotency.MessageState.Status;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every {@link ClaimingIdempotencyStore} must hold, besides what every store must.
 *
 * @since 0.1
 */
public abstract class ClaimingIdempotencyStoreContract extends ClaimBatchContract {

    private static final MessageKey A = keyOf("A");
    private static final MessageKey B = keyOf("B");
    private static final MessageKey C = keyOf("C");

    /** Creates a contract; JUnit does so for each test. */
    protected ClaimingIdempotencyStoreContract() {}

    @Test
    @DisplayName("O27: holds a message for one owner, which is no mark")
    void refusesSecondOwnerWhileHeld() {
        assertThat(store().claim(A, "o1", lease())).isEqualTo(ACQUIRED);
        assertThat(store().claim(copyOf(A), "o2", lease())).isEqualTo(HELD);
        assertThat(store().claim(B, "o2", lease())).isEqualTo(ACQUIRED);
        assertThat(store().seen(A)).isFalse();
        assertThat(store().seenAmong(List.of(A, B))).isEmpty();
        assertThat(store().state(A).status()).isNotEqualTo(Status.SEEN);
    }

    @Test
    void answersSameOwnerAlike() {
        assertThat(store().claim(A, "o1", lease())).isEqualTo(ACQUIRED);
        assertThat(store().claim(A, new String("o1".toCharArray()), lease())).isEqualTo(ACQUIRED);
        assertThat(store().claim(A, "o2", lease())).isEqualTo(HELD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"OWNER", "owner ", " owner", "owne", "owner2", "öwner", "*"})
    @DisplayName("K2, K5: compares owners byte for byte")
    void comparesOwnersByteForByte(String other) {
        store().claim(A, "owner", lease());
        assertThat(store().claim(A, other, lease())).isEqualTo(HELD);
        assertThat(store().renew(A, other, lease())).isFalse();
        store().release(A, other);
        assertThat(store().claim(A, "third", lease())).isEqualTo(HELD);
        assertThat(store().complete(A, other)).isFalse();
    }

    @Test
    @DisplayName("O01: lets the next have a message that was released")
    void letsNextClaimAfterRelease() {
        store().claim(A, "o1", lease());
        store().release(A, "o1");
        assertThat(store().seen(A)).isFalse();
        assertThat(store().state(A).status()).isEqualTo(Status.UNKNOWN);
        assertThat(store().claim(A, "o2", lease())).isEqualTo(ACQUIRED);
        store().release(A, "o1");
        assertThat(store().claim(A, "o3", lease())).isEqualTo(HELD);
    }

    @Test
    @DisplayName("O28: releases only the owner's claim and never a mark")
    void releasesOnlyOwnClaim() {
        store().release(A, "o1");
        store().claim(A, "o1", lease());
        store().release(A, "o2");
        assertThat(store().claim(A, "o2", lease())).isEqualTo(HELD);
        store().complete(A, "o1");
        store().release(A, "o1");
        assertThat(store().claim(A, "o2", lease())).isEqualTo(SEEN);
    }

    @Test
    void completedMessageIsSeenByAll() {
        store().claim(A, "o1", lease());
        assertThat(store().complete(copyOf(A), "o1")).isTrue();
        assertThat(store().seen(A)).isTrue();
        assertThat(store().state(A).status()).isEqualTo(Status.SEEN);
        assertThat(store().claim(A, "o2", lease())).isEqualTo(SEEN);
        assertThat(store().claim(A, "o1", lease())).isEqualTo(SEEN);
        assertThat(store().remember(A)).isFalse();
        assertThat(store().complete(A, "o2")).isFalse();
        assertThat(store().seen(A)).isTrue();
    }

    @Test
    @DisplayName("O28: completing always leaves a mark, also of what was never claimed, released or is another's")
    void completingAlwaysLeavesMark() {
        assertThat(store().complete(A, "o1")).isFalse();
        assertThat(store().seen(A)).isTrue();
        store().claim(B, "o1", lease());
        store().release(B, "o1");
        assertThat(store().complete(B, "o1")).isFalse();
        assertThat(store().seen(B)).isTrue();
        store().claim(C, "o2", lease());
        assertThat(store().complete(C, "o1")).isFalse();
        assertThat(store().seen(C)).isTrue();
    }

    @Test
    @DisplayName("O28: completing leaves another's claim in place beneath the mark")
    void completingLeavesForeignClaim() {
        store().claim(A, "o1", lease());
        store().complete(A, "o2");
        assertThat(store().claim(A, "o1", lease())).isEqualTo(SEEN);
        store().forget(A);
        assertThat(store().claim(A, "o3", lease())).isEqualTo(HELD);
        assertThat(store().complete(A, "o1")).isTrue();
    }

    @Test
    @DisplayName("O28: remembering while held marks, leaves the claim in place, and outlives its release")
    void rememberingWhileHeldMarks() {
        store().claim(A, "o1", lease());
        assertThat(store().remember(A)).isTrue();
        assertThat(store().claim(A, "o2", lease())).isEqualTo(SEEN);
        assertThat(store().state(A).status()).isEqualTo(Status.SEEN);
        store().forget(A);
        assertThat(store().claim(A, "o2", lease())).isEqualTo(HELD);
        assertThat(store().rememberAll(List.of(A))).containsExactly(A);
        store().release(A, "o1");
        assertThat(store().seen(A)).isTrue();
        store().forget(A);
        assertThat(store().claim(A, "o2", lease())).isEqualTo(ACQUIRED);
    }

    @Test
    void completingTellsThatAnotherMarkedMeanwhile() {
        store().claim(A, "o1", lease());
        store().remember(A);
        assertThat(store().complete(A, "o1")).isFalse();
        assertThat(store().seen(A)).isTrue();
        store().forget(A);
        assertThat(store().claim(A, "o2", lease())).isEqualTo(ACQUIRED);
    }

    @Test
    void forgettingLeavesClaim() {
        store().claim(A, "o1", lease());
        store().forget(A);
        assertThat(store().claim(A, "o2", lease())).isEqualTo(HELD);
        assertThat(store().complete(A, "o1")).isTrue();
        store().forget(A);
        assertThat(store().claim(A, "o2", lease())).isEqualTo(ACQUIRED);
    }

    @ParameterizedTest
    @MethodSource("distinctKeys")
    @DisplayName("O33, O44, O45: claims apart what is not equal byte for byte")
    void claimsDistinctKeysApart(List<MessageKey> pair) {
        MessageKey one = pair.get(0);
        MessageKey other = pair.get(1);
        assertThat(store().claim(one, "o1", lease())).isEqualTo(ACQUIRED);
        assertThat(store().claim(other, "o2", lease())).isEqualTo(ACQUIRED);
        assertThat(store().claim(copyOf(one), "o3", lease())).isEqualTo(HELD);
        assertThat(store().complete(copyOf(one), "o1")).isTrue();
        assertThat(store().claim(other, "o3", lease())).isEqualTo(HELD);
        assertThat(store().renew(copyOf(other), "o2", lease())).isTrue();
        store().release(copyOf(other), "o2");
        assertThat(store().claim(other, "o3", lease())).isEqualTo(ACQUIRED);
        assertThat(store().claim(one, "o3", lease())).isEqualTo(SEEN);
    }

    @Test
    @DisplayName("O36: shares claims within a namespace only")
    void sharesClaimsWithinNamespaceOnly() {
        store().claim(A, "o1", lease());
        assertThat(createStore(namespace(), retention()).claim(A, "o2", lease()))
                .isEqualTo(isShared() ? HELD : ACQUIRED);
        assertThat(createStore(namespace() + "-2", retention()).claim(A, "o2", lease()))
                .isEqualTo(ACQUIRED);
    }

    @Test
    @DisplayName("O27, K2: of eight threads one handles a message at a time, also if half of the attempts fail")
    void letsOneOfManyThreadsWin() throws Exception {
        for (int race = 0; race < races(); race++) {
            MessageKey key = keyOf("race" + race);
            Hammer.Room room = new Hammer.Room();
            AtomicInteger attempts = new AtomicInteger();
            List<Integer> completed = Hammer.run(thread -> () -> handleOnce(key, room, attempts));
            room.assertOneAtATime();
            assertThat(completed).as("successes of all threads").containsOnlyOnce(1);
            assertThat(store().claim(key, "o", lease())).isEqualTo(SEEN);
        }
    }

    /** Claims as a redelivering broker would, until the message is seen; every second attempt fails. */
    private int handleOnce(MessageKey key, Hammer.Room room, AtomicInteger attempts) {
        while (!Thread.currentThread().isInterrupted()) {
            String owner = UUID.randomUUID().toString();
            Claim claim = store().claim(key, owner, lease());
            if (claim == SEEN) {
                return 0;
            }
            if (claim == ACQUIRED) {
                room.enter();
                if (attempts.getAndIncrement() % 2 == 1) {
                    return store().complete(key, owner) ? 1 : -1;
                }
                store().release(key, owner);
            }
            Thread.onSpinWait();
        }
        return 0;
    }

    @Test
    @DisplayName("O28, K2: one of eight threads takes over a claim that has run out")
    void letsOneOfManyThreadsTakeOver() throws Exception {
        List<MessageKey> keys =
                IntStream.range(0, races()).mapToObj(i -> keyOf("race" + i)).toList();
        store().claimAll(keys, "late", lease());
        pass(lease().plus(moment()));
        List<Map<MessageKey, Claim>> answers = Hammer.run(thread -> () -> {
            Map<MessageKey, Claim> claims = new LinkedHashMap<>();
            shuffled(keys, thread).forEach(key -> claims.put(key, store().claim(key, "o" + thread, lease())));
            return claims;
        });
        for (MessageKey key : keys) {
            assertThat(answers.stream().map(claims -> claims.get(key))).containsOnlyOnce(ACQUIRED);
        }
    }
}
