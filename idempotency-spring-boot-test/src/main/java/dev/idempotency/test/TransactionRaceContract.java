package dev.idempotency.test;

import static dev.idempotency.Claim.ACQUIRED;
import static dev.idempotency.Claim.HELD;
import static dev.idempotency.test.DistinctKeys.keyOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Claim;
import dev.idempotency.MessageKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.transaction.TransactionException;

/** What many transactions at the same time do to one another. */
abstract class TransactionRaceContract extends TransactionContract {

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
                    Claim answer = answered(() -> store().record(key));
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
            } catch (TransactionException | ConcurrencyFailureException ex) {
                // a commit may fail: then nothing is recorded, as after any other failure
            } catch (Throwable ex) {
                if (ex != failure) {
                    throw new AssertionError("Neither the handler's failure nor that of a commit", ex);
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

    @Test
    @DisplayName("O06, O73: one of eight transactions takes over what is no longer retained")
    void letsOneOfManyTransactionsTakeOver() throws Exception {
        List<MessageKey> keys =
                IntStream.range(0, races()).mapToObj(i -> keyOf("race" + i)).toList();
        store().rememberAll(keys);
        pass(retention().plus(moment()));
        for (MessageKey key : keys) {
            List<List<MessageKey>> acquired = Hammer.run(thread -> () -> recordUntilSeen(List.of(key)));
            assertThat(acquired.stream().flatMap(List::stream)).containsExactly(key);
        }
    }

    private List<MessageKey> recordUntilSeen(List<MessageKey> keys) throws Exception {
        List<MessageKey> acquired = new ArrayList<>();
        List<MessageKey> left = new ArrayList<>(keys);
        while (!left.isEmpty() && !Thread.currentThread().isInterrupted()) {
            try {
                Map<MessageKey, Claim> claims = inTransaction(() -> answered(() -> store().recordAll(left)));
                claims.forEach((key, claim) -> {
                    if (claim == ACQUIRED) {
                        acquired.add(key);
                    }
                });
                left.removeIf(key -> claims.get(key) != HELD);
            } catch (TransactionException | ConcurrencyFailureException ex) {
                // a commit may fail: then nothing is recorded
            } catch (Throwable ex) {
                throw new AssertionError("Not the failure of a commit", ex);
            }
        }
        return acquired;
    }

    private static <T> T answered(Supplier<T> question) {
        try {
            return question.get();
        } catch (RuntimeException ex) {
            throw new AssertionError("A lost race must be an answer", ex);
        }
    }
}
