package dev.idempotency.test;

import static dev.idempotency.Claim.ACQUIRED;
import static dev.idempotency.Claim.HELD;
import static dev.idempotency.Claim.SEEN;
import static dev.idempotency.test.DistinctKeys.copyOf;
import static dev.idempotency.test.DistinctKeys.keyOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.idempotency.Claim;
import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.MessageKey;
import dev.idempotency.TransactionalIdempotencyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every {@link TransactionalIdempotencyStore} must hold, besides what every store must.
 *
 * @since 0.1
 */
public abstract class TransactionalIdempotencyStoreContract extends TransactionRaceContract {

    private static final MessageKey A = keyOf("A");
    private static final MessageKey B = keyOf("B");
    private static final MessageKey C = keyOf("C");
    // One attempt may block for a second at most; this leaves room for a slow machine.
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Creates a contract; JUnit does so for each test. */
    protected TransactionalIdempotencyStoreContract() {}

    @Test
    void recordsOnce() throws Throwable {
        assertThat(recordAlone(A)).isEqualTo(ACQUIRED);
        assertThat(recordAlone(copyOf(A))).isEqualTo(SEEN);
        assertThat(recordAlone(B)).isEqualTo(ACQUIRED);
        assertThat(store().remember(A)).isFalse();
        store().remember(C);
        assertThat(recordAlone(C)).isEqualTo(SEEN);
        store().forget(A);
        assertThat(recordAlone(A)).isEqualTo(ACQUIRED);
    }

    @Test
    void seesWhatSameTransactionRecorded() throws Throwable {
        inTransaction(() -> {
            assertThat(store().record(A)).isEqualTo(ACQUIRED);
            assertThat(store().record(copyOf(A))).isEqualTo(SEEN);
            return null;
        });
    }

    @Test
    @DisplayName("O06, O27: a message of another open transaction is held, and neither seen nor waited for without end")
    void isHeldByOtherTransaction() throws Throwable {
        try (OpenTransaction<Claim> other = open(A)) {
            long started = System.nanoTime();
            assertThat(recordAlone(A)).isEqualTo(HELD);
            assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(PATIENCE);
            assertThat(recordAlone(B)).isEqualTo(ACQUIRED);
            Claim then = other.commit() ? SEEN : ACQUIRED;
            assertThat(recordAlone(A)).isEqualTo(then);
        }
    }

    @Test
    @DisplayName("O01: lets the next record what another transaction rolled back")
    void recordsAfterRollbackOfOther() throws Throwable {
        try (OpenTransaction<Claim> other = open(A)) {
            assertThat(recordAlone(A)).isEqualTo(HELD);
            other.rollback();
            assertThat(recordAlone(A)).isEqualTo(ACQUIRED);
        }
    }

    @Test
    @DisplayName("O14, K3: a message that is held or seen leaves the transaction usable")
    void leavesTransactionUsable() throws Throwable {
        store().remember(B);
        try (OpenTransaction<Claim> other = open(A)) {
            inTransaction(() -> {
                assertThat(store().record(A)).isEqualTo(HELD);
                assertThat(store().record(B)).isEqualTo(SEEN);
                assertThat(store().record(C)).isEqualTo(ACQUIRED);
                return null;
            });
            assertThat(store().seen(C)).isTrue();
            other.rollback();
        }
        assertThat(store().seen(A)).isFalse();
    }

    @Test
    @DisplayName("O73: records what is no longer retained, and retains it anew from then")
    void recordsAgainAfterRetention() throws Throwable {
        recordAlone(A);
        pass(retention().minus(moment()));
        assertThat(recordAlone(A)).isEqualTo(SEEN);
        pass(moment().multipliedBy(2));
        assertThat(recordAlone(A)).isEqualTo(ACQUIRED);
        assertThat(recordAlone(A)).isEqualTo(SEEN);
        pass(half(retention()));
        assertThat(store().seen(A)).isTrue();
    }

    @Test
    @DisplayName("O01, O73: a rollback leaves an expired mark expired")
    void rollbackLeavesExpiredMarkExpired() throws Throwable {
        recordAlone(A);
        pass(retention().plus(moment()));
        try (OpenTransaction<Claim> other = open(A)) {
            assertThat(other.answer()).isEqualTo(ACQUIRED);
            assertThat(recordAlone(A)).isEqualTo(HELD);
            other.rollback();
        }
        assertThat(store().seen(A)).isFalse();
        assertThat(recordAlone(A)).isEqualTo(ACQUIRED);
    }

    @ParameterizedTest
    @MethodSource("distinctKeys")
    @DisplayName("O33, O44, O45: records apart what is not equal byte for byte")
    void recordsDistinctKeysApart(List<MessageKey> pair) throws Throwable {
        inTransaction(() -> {
            assertThat(store().record(pair.get(0))).isEqualTo(ACQUIRED);
            assertThat(store().record(pair.get(1))).isEqualTo(ACQUIRED);
            assertThat(store().record(copyOf(pair.get(0)))).isEqualTo(SEEN);
            return null;
        });
        assertThat(store().seenAmong(pair)).containsExactlyInAnyOrderElementsOf(pair);
    }

    @Test
    @DisplayName("O16, O59: answers for each message of a batch, repeats among them")
    void recordsAllMessages() throws Throwable {
        store().remember(B);
        try (OpenTransaction<Claim> other = open(C)) {
            Map<MessageKey, Claim> claims =
                    inTransaction(() -> store().recordAll(List.of(keyOf("D"), C, copyOf(A), B, A)));
            assertThat(claims)
                    .containsOnly(entry(A, ACQUIRED), entry(B, SEEN), entry(C, HELD), entry(keyOf("D"), ACQUIRED));
            other.rollback();
        }
        assertThat(store().seenAmong(List.of(A, B, C, keyOf("D")))).hasSize(3).doesNotContain(C);
        assertThat(this.<Map<MessageKey, Claim>>inTransaction(() -> store().recordAll(List.of())))
                .isEmpty();
    }

    @Test
    @DisplayName("O30: a live claim holds a message against transactions too, where the store has claims")
    void isHeldByLiveClaim() throws Throwable {
        if (store() instanceof ClaimingIdempotencyStore claiming) {
            claiming.claim(A, "o1", lease());
            assertThat(recordAlone(A)).isEqualTo(HELD);
            pass(lease().plus(moment()));
            assertThat(recordAlone(A)).isEqualTo(ACQUIRED);
            assertThat(claiming.claim(A, "o2", lease())).isEqualTo(SEEN);
            assertThat(claiming.complete(A, "o1")).isFalse();
        }
    }

    private OpenTransaction<Claim> open(MessageKey key) throws Exception {
        return new OpenTransaction<>(store(), () -> store().record(key));
    }
}
