package dev.idempotency.store.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * H2, in each of its modes. It is the session's lock time-out that bounds a wait, not one of the statement. It looks
 * before it inserts: after a statement that has failed, H2 waits for rows of other transactions without end. And it does
 * not wait long: H2 tries over and over, which keeps a core busy.
 */
final class H2Dialect extends StandardDialect {

    static final String NOW = "cast(extract(epoch from current_timestamp) * 1000 as bigint)";

    private static final int LONGEST_WAIT_MILLIS = 100;

    H2Dialect(String now) {
        // lock time-out, concurrent update; deadlock
        super(now, Set.of("23505"), Set.of("HYT00", "90131"), Set.of("40001"));
    }

    // In some modes a text is compared as a person would.
    @Override
    Object column(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    Insert insert(String table, boolean claim) {
        String select = select(table);
        String insert = insertion(table, claim);
        return (connection, key, owner, millis) -> {
            RowState found = find(connection, select, key);
            return found != null ? found : insertNew(connection, insert, key, arguments(claim, owner, millis));
        };
    }

    /** Looks for all of them at once. */
    @Override
    InsertAll insertAll(String table, boolean claim) {
        String insert = insertion(table, claim);
        return (connection, keys, owner, millis) -> {
            Map<RowKey, RowState> states = findAll(connection, table, keys);
            for (RowKey key : keys) {
                if (!states.containsKey(key)) {
                    states.put(key, insertNew(connection, insert, key, arguments(claim, owner, millis)));
                }
            }
            return states;
        };
    }

    private RowState insertNew(Connection connection, String sql, RowKey key, @Nullable Object[] values)
            throws SQLException {
        return inserted(connection, sql, all(key(key), values)) ? RowState.INSERTED : RowState.BUSY;
    }

    // Here it is a setting of the session. To read takes no waiting.
    @Override
    void limit(PreparedStatement statement) {}

    @Override
    int update(Connection connection, String sql, @Nullable Object... arguments) throws SQLException {
        int found = lockTimeout(connection);
        if (found <= LONGEST_WAIT_MILLIS) {
            return Connections.update(connection, sql, arguments);
        }
        setLockTimeout(connection, LONGEST_WAIT_MILLIS);
        try {
            return Connections.update(connection, sql, arguments);
        } finally {
            // A pool may have closed it for the very time-out.
            if (!connection.isClosed()) {
                setLockTimeout(connection, found);
            }
        }
    }

    private static int lockTimeout(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery("call lock_timeout()")) {
            answer.next();
            return answer.getInt(1);
        }
    }

    private static void setLockTimeout(Connection connection, int millis) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("set lock_timeout " + millis);
        }
    }
}
