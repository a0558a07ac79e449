package dev.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Claim;
import dev.idempotency.MessageKey;
import dev.idempotency.TransactionSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** O23, O24, O44, O45: names of tables, namespaces, consumers and ids are what their users say, each apart from any other. */
@ParameterizedClass
@EnumSource
class OddNamesTests {

    private static final Duration HOUR = Duration.ofHours(1);

    private final EachDatabase each;
    private final TestDatabase database;
    private final String run = UUID.randomUUID().toString();

    OddNamesTests(EachDatabase each) {
        this.each = each;
        this.database = each.database();
    }

    private String platform() {
        return switch (each) {
            case H2 -> "h2";
            case POSTGRESQL -> "postgresql";
            case MARIADB, DESCRIBED -> "mariadb";
            case MYSQL -> "mysql";
        };
    }

    private String quoted(String name) {
        boolean ticks = platform().equals("mariadb") || platform().equals("mysql");
        return ticks ? "`" + name + "`" : '"' + name + '"';
    }

    private JdbcIdempotencyStore storeOn(String table) throws IOException {
        String script = new ClassPathResource("dev/idempotency/store/jdbc/schema-" + platform() + ".sql")
                .getContentAsString(StandardCharsets.UTF_8);
        byte[] renamed = TableName.of(table).in(script).getBytes(StandardCharsets.UTF_8);
        // O24: and a second time, as a second start does
        for (int start = 0; start < 2; start++) {
            new ResourceDatabasePopulator(new ByteArrayResource(renamed)).execute(database.dataSource());
        }
        JdbcIdempotencyStore store = new JdbcIdempotencyStore(
                database.dataSource(),
                new DataSourceTransactionManager(database.dataSource()),
                table,
                "names-" + run,
                HOUR,
                database.dialect());
        store.checkTable();
        return store;
    }

    // O24: the default name plus a suffix; O23: upper and mixed case, quoted or not; a word of SQL
    @ParameterizedTest
    @ValueSource(
            strings = {"idempotency_message_2", "MESSAGES_SEEN", "Messages_Seen_Too", "\"Mixed Case\"", "\"order\""})
    void usesExactlyTheTableThatIsNamed(String name) throws Throwable {
        String table = name.startsWith("\"") ? quoted(name.substring(1, name.length() - 1)) : name;
        assertUsesOnly(table, storeOn(table));
    }

    @Test
    void usesTheSchemaThatIsNamed() throws Throwable {
        String schema = TestDatabase.freshName();
        database.execute("create schema " + schema);
        try {
            assertUsesOnly(schema + ".messages", storeOn(schema + ".messages"));
            String quoted = quoted(each == EachDatabase.H2 ? schema.toUpperCase(Locale.ROOT) : schema) + "."
                    + quoted("Messages");
            assertUsesOnly(quoted, storeOn(quoted));
        } finally {
            boolean cascades = each == EachDatabase.H2 || each == EachDatabase.POSTGRESQL;
            database.execute("drop schema " + schema + (cascades ? " cascade" : ""));
        }
    }

    private void assertUsesOnly(String table, JdbcIdempotencyStore store) throws Throwable {
        JdbcTemplate jdbc = new JdbcTemplate(database.dataSource());
        int others = count(jdbc, JdbcIdempotencyStore.DEFAULT_TABLE);
        int before = count(jdbc, table);

        store.inTransaction(TransactionSettings.DEFAULT, () -> store.record(key("A")));
        store.claim(key("B"), "owner", HOUR);
        store.complete(key("B"), "owner");
        store.rememberAll(List.of(key("A"), key("C"), key("D")));
        store.forget(key("D"));

        assertThat(store.seenAmong(List.of(key("A"), key("B"), key("C"), key("D"))))
                .hasSize(3);
        assertThat(count(jdbc, table)).isEqualTo(before + 3);
        database.pass(HOUR.plusSeconds(1));
        assertThat(new JdbcCleanup(store, 2).run()).isGreaterThanOrEqualTo(3);
        assertThat(count(jdbc, table)).isZero();
        assertThat(count(jdbc, JdbcIdempotencyStore.DEFAULT_TABLE)).isEqualTo(others);
    }

    private static int count(JdbcTemplate jdbc, String table) {
        return jdbc.queryForList("select status from " + table).size();
    }

    // K5: whatever a column could not hold
    @Test
    void tellsLongNamespacesApart() {
        String longName = run + "ä".repeat(200);
        JdbcIdempotencyStore one = database.store(longName + "y", HOUR);
        JdbcIdempotencyStore other = database.store(longName + "z", HOUR);

        assertThat(one.claim(key("A"), "owner", HOUR)).isEqualTo(Claim.ACQUIRED);
        assertThat(other.claim(key("A"), "other", HOUR)).isEqualTo(Claim.ACQUIRED);
        assertThat(database.store(longName + "y", HOUR).claim(key("A"), "third", HOUR))
                .isEqualTo(Claim.HELD);
    }

    @Test
    void tellsNamespacesApartByteForByte() {
        for (String suffix : List.of("", " ", "A", "a", "ä", "a\u0308", "\u0000")) {
            assertThat(database.store(run + suffix, HOUR).remember(key("A")))
                    .as("'" + suffix + "'")
                    .isTrue();
        }
    }

    private static MessageKey key(String id) {
        return MessageKey.of("orders", id);
    }
}
