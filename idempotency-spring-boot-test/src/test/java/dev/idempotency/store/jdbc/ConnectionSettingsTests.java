package dev.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.idempotency.Claim;
import dev.idempotency.MessageKey;
import dev.idempotency.MessageState.Status;
import dev.idempotency.TransactionSettings;
import dev.idempotency.store.jdbc.TestDatabase.Isolation;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** O10: a connection of the pool is given back as it was found, and with nothing that is not committed. */
@ParameterizedClass
@MethodSource("all")
class ConnectionSettingsTests {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Map<EachDatabase, String> SESSION = Map.of(
            EachDatabase.H2, "select lock_timeout()",
            EachDatabase.POSTGRESQL,
                    "select current_setting('lock_timeout') || ' ' || current_setting('statement_timeout')",
            EachDatabase.MARIADB, "select concat(@@innodb_lock_wait_timeout, ' ', @@max_statement_time)",
            EachDatabase.MYSQL, "select concat(@@innodb_lock_wait_timeout, ' ', @@max_statement_time)",
            EachDatabase.DESCRIBED, "select concat(@@innodb_lock_wait_timeout, ' ', @@max_statement_time)");

    private final EachDatabase each;
    private final boolean autoCommit;
    private final Isolation isolation;
    private final String namespace = "settings-" + UUID.randomUUID();
    private Connection connection;
    private JdbcIdempotencyStore store;
    private JdbcIdempotencyStore others;
    private List<Object> found;

    ConnectionSettingsTests(EachDatabase each, boolean autoCommit, Isolation isolation) {
        this.each = each;
        this.autoCommit = autoCommit;
        this.isolation = isolation;
    }

    static Stream<Arguments> all() {
        return Stream.of(EachDatabase.values())
                .flatMap(each -> Stream.of(
                        Arguments.of(each, true, Isolation.TRANSACTION_REPEATABLE_READ),
                        Arguments.of(each, false, Isolation.TRANSACTION_READ_COMMITTED),
                        Arguments.of(each, false, Isolation.TRANSACTION_SERIALIZABLE)));
    }

    @BeforeEach
    void borrow() throws SQLException {
        TestDatabase database = each.database();
        connection = database.dataSource().getConnection();
        connection.setTransactionIsolation(
                switch (isolation) {
                    case TRANSACTION_READ_COMMITTED -> Connection.TRANSACTION_READ_COMMITTED;
                    case TRANSACTION_REPEATABLE_READ -> Connection.TRANSACTION_REPEATABLE_READ;
                    case TRANSACTION_SERIALIZABLE -> Connection.TRANSACTION_SERIALIZABLE;
                });
        connection.setAutoCommit(autoCommit);
        found = settings();
        store = database.store(new SingleConnectionDataSource(connection, true), namespace, Duration.ofHours(1));
        others = database.store(namespace, Duration.ofHours(1));
    }

    @AfterEach
    void giveBack() throws SQLException {
        connection.close();
    }

    @Test
    void leavesSettingsAsTheyWere() throws Throwable {
        assertThat(store.seen(key("A"))).isFalse();
        assertThat(store.remember(key("A"))).isTrue();
        assertThat(others.seen(key("A"))).isTrue();
        assertAsFound("remember");

        assertThat(store.claim(key("B"), "owner", LEASE)).isEqualTo(Claim.ACQUIRED);
        assertThat(others.claim(key("B"), "other", LEASE)).isEqualTo(Claim.HELD);
        assertThat(store.renew(key("B"), "owner", LEASE)).isTrue();
        assertThat(store.complete(key("B"), "owner")).isTrue();
        assertThat(others.seen(key("B"))).isTrue();
        assertAsFound("complete");

        store.claim(key("C"), "owner", LEASE);
        store.release(key("C"), "owner");
        assertThat(others.state(key("C")).status()).isEqualTo(Status.UNKNOWN);
        store.claimAll(List.of(key("D"), key("E")), "owner", LEASE);
        assertThat(others.state(key("E")).status()).isEqualTo(Status.IN_FLIGHT);
        store.rememberAll(List.of(key("D"), key("F")));
        store.forget(key("F"));
        assertThat(others.seenAmong(List.of(key("D"), key("F")))).containsExactly(key("D"));
        assertAsFound("forget");

        assertThat(store.<Claim>inTransaction(TransactionSettings.DEFAULT, () -> store.record(key("G"))))
                .isEqualTo(Claim.ACQUIRED);
        assertThat(others.seen(key("G"))).isTrue();
        assertAsFound("record");

        new JdbcCleanup(store, 10).run();
        assertAsFound("cleanup");
    }

    @Test
    void leavesSettingsAsTheyWereAfterAWaitInVain() throws Throwable {
        others.inTransaction(TransactionSettings.DEFAULT, () -> {
            others.record(key("A"));
            Thread other = new Thread(() -> {
                assertThat(store.claim(key("A"), "owner", LEASE)).isEqualTo(Claim.HELD);
                assertThat(catchThrowable(() -> store.remember(key("A")))).isNotNull();
            });
            other.start();
            other.join();
            return null;
        });
        assertAsFound("a wait in vain");
        assertThat(others.seen(key("A"))).isTrue();
    }

    private static MessageKey key(String id) {
        return MessageKey.of("orders", id);
    }

    private void assertAsFound(String step) throws SQLException {
        assertThat(settings()).as("after " + step).isEqualTo(found);
    }

    private List<Object> settings() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet session = statement.executeQuery(SESSION.get(each))) {
            session.next();
            return List.of(
                    connection.getAutoCommit(),
                    connection.getTransactionIsolation(),
                    connection.isReadOnly(),
                    session.getString(1));
        } finally {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        }
    }
}
