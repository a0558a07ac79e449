package dev.idempotency.test;

import static dev.idempotency.Claim.ACQUIRED;
import static dev.idempotency.Claim.HELD;
import static dev.idempotency.Claim.SEEN;
import static dev.idempotency.test.DistinctKeys.copyOf;
import static dev.idempotency.test.DistinctKeys.keyOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.idempotency.MessageKey;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The verbs of claims on many messages at once. */
abstract class ClaimBatchContract extends LeaseContract {

    private static final MessageKey A = keyOf("A");
    private static final MessageKey B = keyOf("B");
    private static final MessageKey C = keyOf("C");
    private static final MessageKey D = keyOf("D");

    @Test
    @DisplayName("O16: answers for each message of a batch, repeats among them")
    void claimsAllMessages() {
        store().claim(A, "other", lease());
        store().remember(B);
        store().claim(C, "o1", lease());
        assertThat(store().claimAll(List.of(A, B, C, D, copyOf(D), A), "o1", lease()))
                .containsOnly(entry(A, HELD), entry(B, SEEN), entry(C, ACQUIRED), entry(D, ACQUIRED));
        assertThat(store().claim(D, "o2", lease())).isEqualTo(HELD);
        assertThat(store().claim(A, "o1", lease())).isEqualTo(HELD);
    }

    @Test
    void renewsEachClaimForItsOwnOwner() {
        store().claim(A, "o1", lease());
        store().claim(B, "o2", lease());
        store().claim(C, "o3", lease());
        store().remember(D);
        Map<MessageKey, String> owners = new LinkedHashMap<>(Map.of(A, "o1", B, "o2", C, "other", D, "o1"));
        pass(half(lease()));
        assertThat(store().renewAll(owners, lease())).containsExactlyInAnyOrder(A, B);
        pass(half(lease()).plus(moment()));
        assertThat(store().claimAll(List.of(A, B, C), "o9", lease()))
                .containsOnly(entry(A, HELD), entry(B, HELD), entry(C, ACQUIRED));
    }

    @Test
    void completesAndReleasesAllMessages() {
        store().claimAll(List.of(A, B), "o1", lease());
        store().claim(C, "other", lease());
        assertThat(store().completeAll(List.of(A, C, D, copyOf(A)), "o1")).containsExactly(A);
        assertThat(store().seenAmong(List.of(A, B, C, D))).containsExactlyInAnyOrder(A, C, D);
        store().forget(C);
        store().releaseAll(List.of(A, B, copyOf(B), C, D), "o1");
        assertThat(store().claimAll(List.of(A, B, C, D), "o2", lease()))
                .containsOnly(entry(A, SEEN), entry(B, ACQUIRED), entry(C, HELD), entry(D, SEEN));
    }

    @Test
    void takesEmptyBatches() {
        Collection<MessageKey> none = List.of();
        assertThat(store().claimAll(none, "o1", lease())).isEmpty();
        assertThat(store().renewAll(Map.of(), lease())).isEmpty();
        assertThat(store().completeAll(none, "o1")).isEmpty();
        store().releaseAll(none, "o1");
    }
}
