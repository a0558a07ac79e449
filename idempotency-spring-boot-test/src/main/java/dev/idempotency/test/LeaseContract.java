package dev.idempotency.test;

import static dev.idempotency.Claim.ACQUIRED;
import static dev.idempotency.Claim.HELD;
import static dev.idempotency.Claim.SEEN;
import static dev.idempotency.test.DistinctKeys.keyOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.MessageKey;
import dev.idempotency.MessageState.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a claim lasts, and what an owner may still do whose lease has run out. */
abstract class LeaseContract extends IdempotencyStoreContract {

    private static final MessageKey A = keyOf("A");
    private static final MessageKey B = keyOf("B");

    @Override
    protected abstract ClaimingIdempotencyStore createStore(String namespace, Duration retention);

    @Override
    ClaimingIdempotencyStore store() {
        return (ClaimingIdempotencyStore) super.store();
    }

    @Test
    @DisplayName("O30: holds a claim until its lease runs out, and lets the next have it then")
    void holdsClaimUntilLeaseRunsOut() {
        store().claim(A, "o1", lease());
        pass(lease().minus(moment()));
        assertThat(store().claim(A, "o2", lease())).isEqualTo(HELD);
        pass(moment().multipliedBy(2));
        assertThat(store().state(A).status()).isEqualTo(Status.UNKNOWN);
        assertThat(store().claim(A, "o2", lease())).isEqualTo(ACQUIRED);
        assertThat(store().claim(A, "o3", lease())).isEqualTo(HELD);
    }

    @Test
    void refusedClaimsDoNotExtendLease() {
        store().claim(A, "o1", lease());
        pass(half(lease()));
        assertThat(store().claim(A, "o2", lease())).isEqualTo(HELD);
        assertThat(store().claimAll(List.of(A), "o2", lease())).containsEntry(A, HELD);
        pass(half(lease()).plus(moment()));
        assertThat(store().claim(A, "o3", lease())).isEqualTo(ACQUIRED);
    }

    @Test
    @DisplayName("O30: lets the same owner have its run-out claim again if nobody took it over")
    void letsSameOwnerClaimAgainAfterLease() {
        store().claim(A, "o1", lease());
        pass(lease().plus(moment()));
        assertThat(store().claim(A, "o1", lease())).isEqualTo(ACQUIRED);
        assertThat(store().claim(A, "o2", lease())).isEqualTo(HELD);
    }

    @Test
    @DisplayName("O31: holds a claim whose lease is longer than the retention")
    void holdsClaimLongerThanRetention() {
        store().claim(A, "o1", retention().multipliedBy(2));
        pass(retention().plus(moment()));
        assertThat(store().claim(A, "o2", lease())).isEqualTo(HELD);
    }

    @Test
    @DisplayName("O30: keeps a mark beyond the lease of the claim it came from")
    void keepsMarkBeyondLease() {
        store().claim(A, "o1", lease());
        store().complete(A, "o1");
        pass(lease().plus(moment()));
        assertThat(store().claim(A, "o2", lease())).isEqualTo(SEEN);
    }

    @Test
    @DisplayName("O73: counts retention from the mark, not from the claim")
    void countsRetentionFromMark() {
        store().claim(A, "o1", lease());
        pass(half(lease()));
        store().complete(A, "o1");
        pass(retention().minus(half(half(lease()))));
        assertThat(store().claim(A, "o2", lease())).isEqualTo(SEEN);
        pass(half(half(lease())).plus(moment()));
        assertThat(store().claim(A, "o2", lease())).isEqualTo(ACQUIRED);
    }

    @Test
    @DisplayName("O73: does not extend a mark by completing or claiming what is marked")
    void doesNotExtendMark() {
        store().remember(A);
        pass(half(retention()));
        assertThat(store().claim(A, "o1", lease())).isEqualTo(SEEN);
        assertThat(store().complete(A, "o1")).isFalse();
        assertThat(store().completeAll(List.of(A), "o1")).isEmpty();
        pass(half(retention()).plus(moment()));
        assertThat(store().seen(A)).isFalse();
        assertThat(store().claim(A, "o1", lease())).isEqualTo(ACQUIRED);
    }

    @Test
    void renewalMakesClaimLastFromThen() {
        store().claim(A, "o1", lease());
        pass(half(lease()));
        assertThat(store().renew(A, "o1", lease())).isTrue();
        pass(half(lease()).plus(moment()));
        assertThat(store().claim(A, "o2", lease())).isEqualTo(HELD);
        pass(half(lease()));
        assertThat(store().claim(A, "o2", lease())).isEqualTo(ACQUIRED);
    }

    @Test
    @DisplayName("O28: renews only a claim that its owner still holds, and leaves others as they are")
    void renewsOnlyHeldClaim() {
        assertThat(store().renew(A, "o1", lease())).isFalse();
        assertThat(store().claim(A, "o1", lease())).isEqualTo(ACQUIRED);
        pass(half(lease()));
        assertThat(store().renew(A, "o2", lease())).isFalse();
        assertThat(store().renewAll(Map.of(A, "o2"), lease())).isEmpty();
        pass(half(lease()).plus(moment()));
        assertThat(store().renew(A, "o1", lease())).isFalse();
        assertThat(store().claim(A, "o2", lease())).isEqualTo(ACQUIRED);
        assertThat(store().renew(A, "o1", lease())).isFalse();
        store().release(A, "o2");
        assertThat(store().renew(A, "o2", lease())).isFalse();
        store().remember(B);
        assertThat(store().renew(B, "o1", lease())).isFalse();
        assertThat(store().claim(A, "o3", lease())).isEqualTo(ACQUIRED);
    }

    @Test
    @DisplayName("O28: a late owner that fails does not release the claim of the next")
    void lateOwnerDoesNotReleaseNextClaim() {
        store().claim(A, "late", lease());
        pass(lease().plus(moment()));
        store().claim(A, "next", lease());
        store().release(A, "late");
        store().releaseAll(List.of(A), "late");
        assertThat(store().claim(A, "other", lease())).isEqualTo(HELD);
        assertThat(store().complete(A, "next")).isTrue();
    }

    @Test
    @DisplayName("O28: a late owner that succeeds marks, and neither ends the claim of the next nor lets it unmark")
    void lateOwnerThatSucceedsMarks() {
        store().claim(A, "late", lease());
        pass(lease().plus(moment()));
        store().claim(A, "next", lease());
        assertThat(store().complete(A, "late")).isFalse();
        assertThat(store().claim(A, "other", lease())).isEqualTo(SEEN);
        store().release(A, "next");
        assertThat(store().claim(A, "other", lease())).isEqualTo(SEEN);
    }

    @Test
    @DisplayName("O28: the next owner learns that a late one has marked meanwhile")
    void nextOwnerLearnsOfLateMark() {
        store().claim(A, "late", lease());
        pass(lease().plus(moment()));
        store().claim(A, "next", lease());
        store().complete(A, "late");
        assertThat(store().complete(A, "next")).isFalse();
        assertThat(store().seen(A)).isTrue();
    }

    @Test
    @DisplayName("O28: a late owner whose claim nobody took is told that it no longer held it, and still marks")
    void lateOwnerMarksWhatNobodyTook() {
        store().claim(A, "late", lease());
        store().claim(B, "late", lease());
        pass(lease().plus(moment()));
        assertThat(store().complete(A, "late")).isFalse();
        assertThat(store().completeAll(List.of(B), "late")).isEmpty();
        assertThat(store().seenAmong(List.of(A, B))).hasSize(2);
    }

    @Test
    @DisplayName("O29, O30: ends many leases at once, whether or not the store has cleaned up after them")
    void endsManyLeasesAtOnce() {
        List<MessageKey> keys =
                IntStream.range(0, 100).mapToObj(i -> keyOf("id" + i)).toList();
        store().claimAll(keys, "late", lease());
        pass(lease().plus(moment()));
        assertThat(store().state(keys.get(99)).status()).isEqualTo(Status.UNKNOWN);
        assertThat(store().renew(keys.get(99), "late", lease())).isFalse();
        assertThat(store().complete(keys.get(80), "late")).isFalse();
        assertThat(store().claim(keys.get(60), "next", lease())).isEqualTo(ACQUIRED);
        assertThat(store().renewAll(Map.of(keys.get(40), "late"), lease())).isEmpty();
        assertThat(store().claimAll(keys, "next", lease()))
                .containsEntry(keys.get(80), SEEN)
                .containsEntry(keys.get(99), ACQUIRED)
                .containsEntry(keys.get(0), ACQUIRED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT-0.001S"})
    @DisplayName("O29, O81: refuses a lease that is not positive, and claims nothing")
    void refusesLeaseThatIsNotPositive(Duration lease) {
        assertThatIllegalArgumentException().isThrownBy(() -> store().claim(A, "o1", lease));
        assertThatIllegalArgumentException().isThrownBy(() -> store().claimAll(List.of(A), "o1", lease));
        assertThat(store().claim(A, "o2", lease())).isEqualTo(ACQUIRED);
        assertThatIllegalArgumentException().isThrownBy(() -> store().renew(A, "o2", lease));
        assertThatIllegalArgumentException().isThrownBy(() -> store().renewAll(Map.of(A, "o2"), lease));
        assertThat(store().claim(A, "o1", lease())).isEqualTo(HELD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.000000001S", "PT0.001S", "PT0.5S"})
    @DisplayName("O29, O81: ends a lease below a second, and neither refuses it nor holds it for ever")
    void endsTinyLease(Duration lease) {
        assertThat(store().claim(A, "o1", lease)).isEqualTo(ACQUIRED);
        pass(lease.plus(moment()));
        assertThat(store().claim(A, "o2", lease())).isEqualTo(ACQUIRED);
        store().renew(A, "o2", lease);
        pass(lease.plus(moment()));
        assertThat(store().claim(A, "o3", lease())).isEqualTo(ACQUIRED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT2400000H", "PT2562047788015215H30M7S"})
    @DisplayName("O81: holds a claim for a huge lease instead of overflowing")
    void holdsClaimForHugeLease(Duration lease) {
        assertThat(store().claim(A, "o1", lease)).isEqualTo(ACQUIRED);
        assertThat(store().claimAll(List.of(B), "o1", lease)).containsEntry(B, ACQUIRED);
        pass(retention());
        assertThat(store().claim(A, "o2", lease())).isEqualTo(HELD);
        assertThat(store().renew(A, "o1", lease)).isTrue();
        assertThat(store().renewAll(Map.of(B, "o1"), lease)).containsExactly(B);
        pass(moment());
        assertThat(store().claimAll(List.of(A, B), "o2", lease())).containsOnly(Map.entry(A, HELD), Map.entry(B, HELD));
        assertThat(store().complete(A, "o1")).isTrue();
    }
}
