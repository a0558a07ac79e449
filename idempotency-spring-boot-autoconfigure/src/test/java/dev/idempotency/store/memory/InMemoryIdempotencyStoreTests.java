package dev.idempotency.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.idempotency.Claim;
import dev.idempotency.MessageKey;
import dev.idempotency.MessageState;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is particular to this store: bounds, eviction and time. What it shares with every other store is held by the
 * contracts of the test kit.
 */
class InMemoryIdempotencyStoreTests {

    private static final Duration RETENTION = Duration.ofMinutes(10);
    private static final Duration LEASE = Duration.ofSeconds(30);

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final InstantSource clock = () -> now;

    @Test
    @DisplayName("O74: evicts the oldest mark when full")
    void evictsOldestMarkWhenFull() {
        InMemoryIdempotencyStore store = store(3);
        mark(store, "A", "B", "C", "D");

        assertThat(store.seenAmong(keys("A", "B", "C", "D"))).containsExactlyElementsOf(keys("B", "C", "D"));
        assertThat(store.size()).isEqualTo(3);
        assertThat(store.evictions()).isEqualTo(1);
    }

    @Test
    void evictsOldestMarkFirstEvenIfAllMarksEndAtTheSameTime() {
        InMemoryIdempotencyStore store = store(Duration.ofSeconds(Long.MAX_VALUE), 3);
        mark(store, "C", "A", "B", "D");

        assertThat(store.seenAmong(keys("A", "B", "C", "D"))).containsExactlyElementsOf(keys("A", "B", "D"));
    }

    @Test
    void evictsNothingWhileExpiredEntriesCanGo() {
        InMemoryIdempotencyStore store = store(3);
        mark(store, "A");
        now = now.plus(RETENTION.dividedBy(2));
        mark(store, "B", "C");
        now = now.plus(RETENTION.dividedBy(2));
        mark(store, "D");

        assertThat(store.seenAmong(keys("A", "B", "C", "D"))).containsExactlyElementsOf(keys("B", "C", "D"));
        assertThat(store.evictions()).isZero();
    }

    @Test
    @DisplayName("O74: never evicts a live claim")
    void neverEvictsLiveClaim() {
        InMemoryIdempotencyStore store = store(3);
        store.claim(key("held"), "o1", LEASE);
        for (int i = 0; i < 100; i++) {
            mark(store, "id" + i);
        }

        assertThat(store.claim(key("held"), "o2", LEASE)).isEqualTo(Claim.HELD);
        assertThat(store.size()).isEqualTo(3);
    }

    @Test
    void evictsMarkToMakeRoomForClaim() {
        InMemoryIdempotencyStore store = store(2);
        mark(store, "A", "B");

        assertThat(store.claim(key("C"), "o1", LEASE)).isEqualTo(Claim.ACQUIRED);
        assertThat(store.seenAmong(keys("A", "B"))).containsExactly(key("B"));
    }

    @Test
    @DisplayName(
            "O74: refuses a claim or mark by an exception that names the property when all entries are live claims")
    void refusesWhenAllEntriesAreLiveClaims() {
        InMemoryIdempotencyStore store = store(2);
        store.claimAll(keys("A", "B"), "o1", LEASE);

        assertThatIllegalStateException()
                .isThrownBy(() -> store.claim(key("C"), "o2", LEASE))
                .withMessageContaining("'orders'")
                .withMessageContaining("all 2 entries")
                .withMessageContaining("idempotency.in-memory.max-entries");
        assertThatIllegalStateException().isThrownBy(() -> store.remember(key("C")));
        assertThat(store.claim(key("A"), "o2", LEASE)).isEqualTo(Claim.HELD);
        assertThat(store.claim(key("A"), "o1", LEASE)).isEqualTo(Claim.ACQUIRED);
        assertThat(store.size()).isEqualTo(2);
    }

    @Test
    void completesOwnClaimsWhenAllEntriesAreLiveClaims() {
        InMemoryIdempotencyStore store = store(2);
        store.claimAll(keys("A", "B"), "o1", LEASE);

        assertThat(store.completeAll(keys("A", "B"), "o1")).containsExactlyElementsOf(keys("A", "B"));
        assertThat(store.seenAmong(keys("A", "B"))).hasSize(2);
        assertThat(store.size()).isEqualTo(2);
    }

    @Test
    void takesPlaceOfRunOutClaimWhenFull() {
        InMemoryIdempotencyStore store = store(1);
        store.claim(key("A"), "o1", LEASE);
        now = now.plus(LEASE);

        assertThat(store.claim(key("B"), "o2", LEASE)).isEqualTo(Claim.ACQUIRED);
        assertThat(store.size()).isEqualTo(1);
    }

    @Test
    void leavesNothingClaimedIfThereIsNoRoomForTheWholeBatch() {
        InMemoryIdempotencyStore store = store(3);
        store.claim(key("held"), "o1", LEASE);

        assertThatIllegalStateException().isThrownBy(() -> store.claimAll(keys("A", "held", "B", "C"), "o2", LEASE));
        assertThat(store.size()).isEqualTo(1);
        assertThat(store.claim(key("held"), "o3", LEASE)).isEqualTo(Claim.HELD);
        assertThat(store.claimAll(keys("A", "B"), "o3", LEASE).values()).containsOnly(Claim.ACQUIRED);
    }

    @Test
    @DisplayName("O74: stays bounded by retention for a million ids that nobody reads again")
    void staysBoundedForMillionIdsThatNobodyReads() {
        InMemoryIdempotencyStore store = store(Duration.ofSeconds(1), 1_000_000);
        int largest = 0;
        for (int i = 0; i < 1_000_000; i++) {
            store.remember(key("id" + i));
            now = now.plusMillis(1);
            largest = Math.max(largest, store.size());
        }

        assertThat(largest).isLessThanOrEqualTo(1_001);
        assertThat(store.evictions()).isZero();
    }

    @Test
    void staysBoundedForMillionRunsThatNeverEnd() {
        InMemoryIdempotencyStore store = store(Duration.ofSeconds(10), 5_000);
        for (int i = 0; i < 1_000_000; i++) {
            store.claim(key("id" + i), "o" + i, Duration.ofSeconds(1));
            now = now.plusMillis(1);
        }

        assertThat(store.size()).isLessThanOrEqualTo(1_001);
    }

    @Test
    void removesExpiredEntriesThatCameInOneBurst() {
        InMemoryIdempotencyStore store = store(10_000);
        for (int i = 0; i < 1_000; i++) {
            store.remember(key("burst" + i));
        }
        now = now.plus(RETENTION);
        for (int i = 0; i < 500; i++) {
            store.remember(key("id" + i));
        }

        assertThat(store.size()).isEqualTo(500);
    }

    @Test
    void removesExpiredMarksInTimeAfterClockStepsBack() {
        InMemoryIdempotencyStore store = store(100);
        now = now.plus(RETENTION.multipliedBy(100));
        mark(store, "from the future");
        now = now.minus(RETENTION.multipliedBy(100));
        mark(store, "A", "B");
        now = now.plus(RETENTION);
        mark(store, "C");

        assertThat(store.size()).isEqualTo(2);
        assertThat(store.seen(key("A"))).isFalse();
        assertThat(store.seen(key("from the future"))).isTrue();
    }

    @Test
    @DisplayName("O73: retention and lease end at their exact instant, not one before or after")
    void endsRetentionAndLeaseAtTheirExactInstant() {
        InMemoryIdempotencyStore store = store(10);
        mark(store, "A");
        store.claim(key("B"), "o1", LEASE);

        now = now.plus(LEASE).minusNanos(1);
        assertThat(store.claim(key("B"), "o2", LEASE)).isEqualTo(Claim.HELD);
        now = now.plusNanos(1);
        assertThat(store.claim(key("B"), "o2", LEASE)).isEqualTo(Claim.ACQUIRED);
        now = now.plus(RETENTION).minus(LEASE).minusNanos(1);
        assertThat(store.seen(key("A"))).isTrue();
        now = now.plusNanos(1);
        assertThat(store.seen(key("A"))).isFalse();
    }

    @Test
    @DisplayName("O81: a huge retention or lease lasts instead of overflowing")
    void saturatesHugeDurations() {
        for (Duration huge : List.of(Duration.ofDays(100_000), Duration.ofSeconds(Long.MAX_VALUE))) {
            InMemoryIdempotencyStore store = store(huge, 10);
            mark(store, "A");
            store.claim(key("B"), "o1", huge);
            store.renew(key("B"), "o1", huge);
            now = now.plus(Duration.ofDays(90_000));

            assertThat(store.seen(key("A"))).isTrue();
            assertThat(store.claim(key("B"), "o2", huge)).isEqualTo(Claim.HELD);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    @DisplayName("O29, O81: refuses durations that are not positive")
    void refusesDurationsThatAreNotPositive(long seconds) {
        Duration duration = Duration.ofSeconds(seconds);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store(duration, 10))
                .withMessageContaining("'retention' must be positive")
                .withMessageContaining(duration.toString());
        InMemoryIdempotencyStore store = store(10);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.claim(key("A"), "o1", duration))
                .withMessageContaining("'lease' must be positive");
        assertThatIllegalArgumentException().isThrownBy(() -> store.renew(key("A"), "o1", duration));
        assertThatIllegalArgumentException().isThrownBy(() -> store.claimAll(keys("A"), "o1", duration));
        assertThatIllegalArgumentException().isThrownBy(() -> store.renewAll(Map.of(key("A"), "o1"), duration));
        assertThat(store.size()).isZero();
    }

    @Test
    void refusesBoundBelowOne() {
        assertThatIllegalArgumentException().isThrownBy(() -> store(0)).withMessageContaining("'maxEntries'");
    }

    @Test
    void tellsSinceWhenInFlightAndUntilWhenSeen() {
        InMemoryIdempotencyStore store = store(10);
        Instant start = now;
        assertThat(store.state(key("A"))).isEqualTo(MessageState.unknown());
        store.claim(key("A"), "o1", LEASE);
        now = now.plusSeconds(10);
        store.renew(key("A"), "o1", LEASE);
        assertThat(store.state(key("A"))).isEqualTo(MessageState.inFlight(start));
        store.complete(key("A"), "o1");
        assertThat(store.state(key("A"))).isEqualTo(MessageState.seen(now.plus(RETENTION)));
    }

    @Test
    @DisplayName("O45: does not keep the verbatim text of a long id")
    void doesNotKeepVerbatimTextOfLongId() {
        InMemoryIdempotencyStore store = store(10);
        MessageKey key = key("x".repeat(10_000));
        WeakReference<String> id = new WeakReference<>(key.messageId());
        store.remember(key);
        store.claim(key("y".repeat(10_000)), "o1", LEASE);
        key = null;

        await().until(() -> {
            System.gc();
            return id.get() == null;
        });
        assertThat(store.seen(key("x".repeat(10_000)))).isTrue();
    }

    @Test
    void advancesByItself() {
        InMemoryIdempotencyStore store = new InMemoryIdempotencyStore(Duration.ofMillis(50), 10);
        mark(store, "A");

        await().until(() -> !store.seen(key("A")));
    }

    private InMemoryIdempotencyStore store(int maxEntries) {
        return store(RETENTION, maxEntries);
    }

    private InMemoryIdempotencyStore store(Duration retention, int maxEntries) {
        return new InMemoryIdempotencyStore(retention, maxEntries, clock);
    }

    private static void mark(InMemoryIdempotencyStore store, String... ids) {
        for (String id : ids) {
            assertThat(store.remember(key(id))).isTrue();
        }
    }

    private static MessageKey key(String id) {
        return MessageKey.of("orders", id);
    }

    private static List<MessageKey> keys(String... ids) {
        return List.of(ids).stream().map(InMemoryIdempotencyStoreTests::key).toList();
    }
}
