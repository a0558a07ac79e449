package dev.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Claim;
import dev.idempotency.MessageKey;
import dev.idempotency.TransactionSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** K8, O16: a batch is many messages, each of which has an answer of its own, and few statements. */
@ParameterizedClass
@EnumSource
class JdbcBatchTests {

    private static final Duration RETENTION = Duration.ofHours(1);
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final MessageKey SEEN = key("seen");
    private static final MessageKey HELD = key("held");
    private static final MessageKey EXPIRED = key("expired");

    private final EachDatabase each;
    private final TestDatabase database;
    private final CountingDataSource counting;
    private final JdbcIdempotencyStore store;

    JdbcBatchTests(EachDatabase each) {
        this.each = each;
        this.database = each.database();
        this.counting = new CountingDataSource(database.dataSource());
        this.store = database.store(counting, "batch-" + UUID.randomUUID(), RETENTION);
        store.checkTable();
    }

    private static MessageKey key(String id) {
        return MessageKey.of("orders", id);
    }

    private boolean hasBatches() {
        return each == EachDatabase.POSTGRESQL || each == EachDatabase.MARIADB;
    }

    /** So many messages, one of each kind among them, in no order; each one twice. */
    private List<MessageKey> batch(int size) {
        store.remember(EXPIRED);
        database.pass(RETENTION.plusSeconds(1));
        store.remember(SEEN);
        store.claim(HELD, "other", LEASE);
        List<MessageKey> batch = new ArrayList<>(List.of(EXPIRED, SEEN, HELD));
        IntStream.range(3, size).forEach(i -> batch.add(key("new" + i)));
        batch.addAll(List.copyOf(batch));
        Collections.shuffle(batch, new Random(size));
        return batch;
    }

    private static void assertAnswered(Map<MessageKey, Claim> answers, List<MessageKey> batch) {
        assertThat(answers.keySet()).containsExactlyInAnyOrderElementsOf(Set.copyOf(batch));
        answers.forEach((key, answer) -> assertThat(answer)
                .as(key.toString())
                .isEqualTo(key.equals(SEEN) ? Claim.SEEN : key.equals(HELD) ? Claim.HELD : Claim.ACQUIRED));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 500, 501, 1200})
    void recordsEachMessageOfABatch(int size) throws Throwable {
        List<MessageKey> batch = batch(size);

        Map<MessageKey, Claim> answers = store.inTransaction(TransactionSettings.DEFAULT, () -> store.recordAll(batch));

        assertAnswered(answers, batch);
        assertThat(store.seenAmong(batch)).hasSize(size - 1).doesNotContain(HELD);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 500, 501, 1200})
    void claimsEachMessageOfABatch(int size) {
        List<MessageKey> batch = batch(size);

        assertAnswered(store.claimAll(batch, "owner", LEASE), batch);

        assertThat(store.seenAmong(batch)).containsExactly(SEEN);
        // asked again, the same owner has what it has
        assertAnswered(store.claimAll(batch, "owner", LEASE), batch);
        assertThat(store.claimAll(List.of(EXPIRED, SEEN, HELD), "third", LEASE))
                .isEqualTo(Map.of(EXPIRED, Claim.HELD, SEEN, Claim.SEEN, HELD, Claim.HELD));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 500, 501, 1200})
    void remembersEachMessageOfABatch(int size) {
        List<MessageKey> batch = batch(size);

        // over the claim of another, too: its handler has run
        assertThat(store.rememberAll(batch)).hasSize(size - 1).doesNotContain(SEEN);
        assertThat(store.seenAmong(batch)).hasSize(size);
        assertThat(store.rememberAll(batch)).isEmpty();
    }

    @Test
    void asksNothingForNone() throws Throwable {
        counting.clear();
        assertThat(store.<Map<MessageKey, Claim>>inTransaction(
                        TransactionSettings.DEFAULT, () -> store.recordAll(List.of())))
                .isEmpty();
        assertThat(store.claimAll(List.of(), "owner", LEASE)).isEmpty();
        assertThat(store.rememberAll(List.of())).isEmpty();
        assertThat(store.seenAmong(List.of())).isEmpty();
        assertThat(counting.sent()).isEmpty();
    }

    // What docs/jdbc.md promises.
    @Test
    void sendsFewStatements() throws Throwable {
        MessageKey one = key("one");
        // H2's session is told how long to wait, and told back
        assertThat(sentFor(keys -> recorded(keys.get(0)), List.of(one))).hasSize(each == EachDatabase.H2 ? 5 : 1);
        boolean looksAfter = each == EachDatabase.MYSQL || each == EachDatabase.DESCRIBED;
        assertThat(sentFor(keys -> recorded(keys.get(0)), List.of(one))).hasSize(looksAfter ? 2 : 1);
        if (hasBatches() || each == EachDatabase.MYSQL) {
            assertThat(sentFor(store::rememberAll, keys("first", 500))).hasSize(1);
            assertThat(sentFor(store::rememberAll, keys("second", 501))).hasSize(2);
            assertThat(sentFor(keys -> store.claimAll(keys, "owner", LEASE), keys("third", 1200)))
                    .hasSize(3);
        }
        if (hasBatches()) {
            assertThat(sentFor(store::rememberAll, keys("first", 500))).hasSize(1);
        }
        assertThat(sentFor(store::seenAmong, keys("first", 500))).hasSize(1);
    }

    private Claim recorded(MessageKey key) {
        try {
            return Objects.requireNonNull(
                    store.<Claim>inTransaction(TransactionSettings.DEFAULT, () -> store.record(key)));
        } catch (Throwable ex) {
            throw new IllegalStateException(ex);
        }
    }

    private List<String> sentFor(Function<List<MessageKey>, ?> call, List<MessageKey> keys) {
        counting.clear();
        call.apply(keys);
        return counting.sent();
    }

    private static List<MessageKey> keys(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> key(prefix + i)).toList();
    }
}
