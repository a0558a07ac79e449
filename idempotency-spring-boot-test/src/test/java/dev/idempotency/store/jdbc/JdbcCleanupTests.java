package dev.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Claim;
import dev.idempotency.MessageKey;
import dev.idempotency.TransactionSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** K13, O72: what is expired is deleted, and nothing else, whoever else is at the table. */
@ParameterizedClass
@EnumSource
class JdbcCleanupTests {

    private static final Duration RETENTION = Duration.ofMinutes(1);
    private static final Duration LEASE = Duration.ofSeconds(20);

    private final TestDatabase database;
    private final String namespace = "test-" + UUID.randomUUID();
    private final JdbcIdempotencyStore store;
    private final JdbcCleanup cleanup;

    JdbcCleanupTests(EachDatabase each) {
        this.database = each.database();
        this.store = database.store(namespace, RETENTION);
        this.cleanup = new JdbcCleanup(store, 10);
    }

    // the table is shared by all tests of a database
    @BeforeEach
    void emptyTable() {
        database.execute("delete from idempotency_message");
    }

    @Test
    void deletesWhatIsExpiredAndNothingElse() {
        store.rememberAll(keys("old", 25));
        store.claim(key("abandoned"), "owner", LEASE);
        store.claim(key("kept"), "owner", LEASE);
        database.pass(Duration.ofSeconds(15));
        store.renew(key("kept"), "owner", Duration.ofMinutes(10));
        database.pass(RETENTION);
        store.remember(key("fresh"));
        assertThat(store.oldestExpired()).isBetween(1L, RETENTION.toMillis() * 2);

        assertThat(cleanup.run()).isEqualTo(26);

        assertThat(cleanup.deletedRows()).isEqualTo(26);
        assertThat(cleanup.runs()).isEqualTo(1);
        assertThat(cleanup.totalTime()).isPositive();
        assertThat(cleanup.sinceSuccess()).isLessThan(Duration.ofMinutes(1));
        assertThat(cleanup.oldestExpired()).isZero();
        assertThat(cleanup.run()).isZero();
        assertThat(store.seen(key("fresh"))).isTrue();
        assertThat(store.claim(key("kept"), "other", LEASE)).isEqualTo(Claim.HELD);
        assertThat(store.claim(key("abandoned"), "other", LEASE)).isEqualTo(Claim.ACQUIRED);
    }

    // A run that outlives the retention of an earlier mark still holds its claim.
    @Test
    void keepsLiveClaimBesideExpiredMark() {
        store.claim(key("long"), "owner", LEASE);
        store.remember(key("long"));
        database.pass(Duration.ofSeconds(15));
        store.renew(key("long"), "owner", Duration.ofMinutes(10));
        database.pass(RETENTION);
        cleanup.run();
        assertThat(store.claim(key("long"), "other", LEASE)).isEqualTo(Claim.HELD);
    }

    // O72: with rows of a transaction that is open it neither waits without end nor fails
    @Test
    void leavesRowsThatOthersAreAt() throws Throwable {
        store.rememberAll(keys("old", 25));
        database.pass(RETENTION.plusSeconds(1));
        MessageKey taken = key("old7");
        store.inTransaction(new TransactionSettings(null, null), () -> {
            assertThat(store.record(taken)).isEqualTo(Claim.ACQUIRED);
            Thread other = new Thread(cleanup::run);
            other.start();
            other.join();
            return null;
        });
        assertThat(store.seen(taken)).isTrue();
        cleanup.run();
        assertThat(store.seen(taken)).isTrue();
        assertThat(cleanup.oldestExpired()).isZero();
        assertThat(cleanup.deletedRows()).isEqualTo(24);
    }

    @Test
    void isHarmlessOnManyNodesAtOnce() throws InterruptedException {
        store.rememberAll(keys("old", 200));
        database.pass(RETENTION.plusSeconds(1));
        store.rememberAll(keys("fresh", 5));
        List<JdbcCleanup> nodes =
                IntStream.range(0, 4).mapToObj(i -> new JdbcCleanup(store, 7)).toList();
        List<Thread> threads = new ArrayList<>();
        nodes.forEach(node -> threads.add(new Thread(node::run)));
        threads.forEach(Thread::start);
        for (Thread each : threads) {
            each.join();
        }
        cleanup.run();
        long deleted = cleanup.deletedRows()
                + nodes.stream().mapToLong(JdbcCleanup::deletedRows).sum();
        assertThat(deleted).isEqualTo(200);
        assertThat(store.seenAmong(keys("fresh", 5))).hasSize(5);
    }

    // O10
    @Test
    void leavesSettingsOfConnectionsAsTheyWere() throws SQLException {
        Map<String, Object> before = settings();
        cleanup.run();
        assertThat(settings()).isEqualTo(before);
    }

    private Map<String, Object> settings() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            return Map.of(
                    "isolation", connection.getTransactionIsolation(),
                    "autocommit", connection.getAutoCommit(),
                    "read-only", connection.isReadOnly());
        }
    }

    private static MessageKey key(String id) {
        return MessageKey.of("orders", id);
    }

    private static List<MessageKey> keys(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> key(prefix + i)).toList();
    }
}
