package dev.idempotency.store.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * H2, in each of its modes. It looks before it inserts: after a statement that has failed, H2 waits for rows of other
 * transactions without end.
 */
final class H2Dialect extends Dialect {

    static final String NOW = "cast(extract(epoch from current_timestamp) * 1000 as bigint)";

    private static final String DUPLICATE_KEY = "23505";
    private static final int LONGEST_WAIT_MILLIS = 1000;

    H2Dialect(String now) {
        // lock time-out, concurrent update; deadlock
        super(now, Set.of("HYT00", "90131"), Set.of("40001"));
    }

    // In some modes a text is compared as a person would.
    @Override
    Object column(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    Insert insert(String table, boolean claim) {
        String select = select(table);
        String insert = "insert into " + table + " " + COLUMNS + " values (" + values(claim, clock() + " + ?") + ")";
        return (connection, key, owner, millis) -> {
            RowState found = find(connection, select, key);
            return found != null ? found : insertNew(connection, insert, arguments(key, claim, owner, millis));
        };
    }

    private RowState insertNew(Connection connection, String sql, @Nullable Object[] arguments) throws SQLException {
        try {
            return waitingASecond(connection, () -> {
                Connections.update(connection, sql, arguments);
                return RowState.INSERTED;
            });
        } catch (SQLException ex) {
            // Whoever was faster is asked for at the next attempt.
            if (hasWaitedInVain(ex) || DUPLICATE_KEY.equals(ex.getSQLState())) {
                return RowState.BUSY;
            }
            throw ex;
        }
    }

    @Override
    int change(Connection connection, String sql, RowKey key, @Nullable Object[] values, Object[] conditions)
            throws SQLException {
        try {
            return waitingASecond(
                    connection, () -> Connections.update(connection, sql, all(values, key(key), conditions)));
        } catch (SQLException ex) {
            if (hasWaitedInVain(ex)) {
                return BUSY;
            }
            throw ex;
        }
    }

    private static <R> R waitingASecond(Connection connection, Step<R> step) throws SQLException {
        int found = lockTimeout(connection);
        if (found <= LONGEST_WAIT_MILLIS) {
            return step.run();
        }
        setLockTimeout(connection, LONGEST_WAIT_MILLIS);
        try {
            return step.run();
        } finally {
            setLockTimeout(connection, found);
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

    @FunctionalInterface
    private interface Step<R> {
        R run() throws SQLException;
    }
}
