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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every {@link TransactionalIdempotencyStore} must hold, besides what every store must.
 *
 * @since 0.1
 */
public abstract class TransactionalIdempotencyStoreContract extends TransactionContract {

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
            other.commit();
            assertThat(recordAlone(A)).isEqualTo(SEEN);
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

    @Test
    @DisplayName("O06, K1: of eight transactions one handles a message at a time, also if half of them roll back")
    void letsOneOfManyTransactionsWin() throws Exception {
        for (int race = 0; race < races(); race++) {
            MessageKey key = keyOf("race" + race);
            Hammer.Room room = new Hammer.Room();
            AtomicInteger attempts = new AtomicInteger();
            List<Integer> committed = Hammer.run(thread -> () -> handleOnce(key, room, attempts));
            room.assertOneAtATime();
            assertThat(committed).as("commits of all threads").containsOnlyOnce(1);
            assertThat(store().seen(key)).isTrue();
        }
    }

    /** Records as a redelivering broker would, until the message is seen; every second attempt fails. */
    private int handleOnce(MessageKey key, Hammer.Room room, AtomicInteger attempts) throws Exception {
        IllegalStateException failure = new IllegalStateException("every second attempt");
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Claim claim = inTransaction(() -> {
                    Claim answer = store().record(key);
                    if (answer == ACQUIRED) {
                        room.enter();
                        if (attempts.getAndIncrement() % 2 == 0) {
                            throw failure;
                        }
                    }
                    return answer;
                });
                if (claim != HELD) {
                    return claim == ACQUIRED ? 1 : 0;
                }
            } catch (Throwable ex) {
                if (ex != failure) {
                    throw new AssertionError("A lost race must be an answer", ex);
                }
            }
        }
        return 0;
    }

    @Test
    @DisplayName("O19, O20: transactions on the same messages in different order lose none and fail none")
    void recordsBatchesInDifferentOrder() throws Exception {
        for (int race = 0; race < races() / 5; race++) {
            String prefix = "race" + race + "-";
            List<MessageKey> keys =
                    IntStream.range(0, 10).mapToObj(i -> keyOf(prefix + i)).toList();
            List<List<MessageKey>> acquired = Hammer.run(thread -> () -> recordUntilSeen(shuffled(keys, thread)));
            assertThat(acquired.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(keys);
        }
    }

    private List<MessageKey> recordUntilSeen(List<MessageKey> keys) throws Exception {
        List<MessageKey> acquired = new ArrayList<>();
        List<MessageKey> left = new ArrayList<>(keys);
        while (!left.isEmpty() && !Thread.currentThread().isInterrupted()) {
            try {
                Map<MessageKey, Claim> claims = inTransaction(() -> store().recordAll(left));
                claims.forEach((key, claim) -> {
                    if (claim == ACQUIRED) {
                        acquired.add(key);
                    }
                });
                left.removeIf(key -> claims.get(key) != HELD);
            } catch (Throwable ex) {
                throw new AssertionError("A lost race must be an answer", ex);
            }
        }
        return acquired;
    }

    private OpenTransaction<Claim> open(MessageKey key) throws Exception {
        return new OpenTransaction<>(store(), () -> store().record(key));
    }
}
