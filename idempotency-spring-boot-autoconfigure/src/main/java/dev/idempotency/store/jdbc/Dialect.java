package dev.idempotency.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What differs from database to database: its clock, how a row is inserted if it is absent, and how long a statement may
 * wait for another transaction, which is a second at most.
 */
abstract class Dialect {

    static final String KEY = "namespace = ? and consumer = ? and message_id = ?";
    static final String COLUMNS = "(namespace, consumer, message_id, status, owner, locked_until, expires_at)";

    /** What a change answers if another transaction is at the row. */
    static final int BUSY = -1;

    private final String now;
    private final Set<String> waitedInVain;
    private final Set<String> spoilt;

    /**
     * Creates a dialect.
     *
     * @param now the time of the database, in milliseconds of the epoch
     * @param waitedInVain error codes and SQL states of a statement that another transaction was in the way of, and that
     *     has changed nothing
     * @param spoilt those that mean that the whole transaction is lost because of another one
     */
    Dialect(String now, Set<String> waitedInVain, Set<String> spoilt) {
        this.now = now;
        this.waitedInVain = waitedInVain;
        this.spoilt = spoilt;
    }

    final String clock() {
        return now;
    }

    /** Returns what inserts a row if there is none, and else tells what is there. */
    abstract Insert insert(String table, boolean claim);

    /** Returns the statement for {@link #change}. */
    String change(String head, String condition) {
        return head + " where " + KEY + " and " + condition;
    }

    /** Changes the row if the condition holds; returns how many were changed, or {@link #BUSY}. */
    abstract int change(Connection connection, String sql, RowKey key, @Nullable Object[] values, Object[] conditions)
            throws SQLException;

    /** Returns a text as columns hold it. */
    Object column(String text) {
        return text;
    }

    final Object[] key(RowKey key) {
        return new Object[] {column(key.namespace()), column(key.consumer()), column(key.messageId())};
    }

    /** Returns whether a statement has changed nothing because of another transaction, and its own goes on. */
    final boolean hasWaitedInVain(SQLException failure) {
        return isOneOf(waitedInVain, failure);
    }

    /** Returns whether the whole transaction is lost because of another one. */
    final boolean isSpoilt(SQLException failure) {
        return isOneOf(spoilt, failure);
    }

    // Never by the text of the message: it is in whatever language.
    private static boolean isOneOf(Set<String> codes, SQLException failure) {
        return codes.contains(String.valueOf(failure.getSQLState()))
                || codes.contains(String.valueOf(failure.getErrorCode()));
    }

    final String select(String table) {
        return "select " + state() + " from " + table + " where " + KEY;
    }

    /** The columns that {@link #state(ResultSet, int)} reads. */
    final String state() {
        return "case when status = 'S' and expires_at > " + now + " then 1 else 0 end," + " case when locked_until > "
                + now + " then owner end";
    }

    static RowState state(ResultSet row, int first) throws SQLException {
        return new RowState(false, false, row.getInt(first) == 1, row.getString(first + 1));
    }

    final @Nullable RowState find(Connection connection, String select, RowKey key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(select)) {
            bind(statement, key(key));
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? state(rows, 1) : null;
            }
        }
    }

    static void bind(PreparedStatement statement, @Nullable Object... arguments) throws SQLException {
        for (int i = 0; i < arguments.length; i++) {
            statement.setObject(i + 1, arguments[i]);
        }
    }

    static @Nullable Object[] all(@Nullable Object[]... parts) {
        return Arrays.stream(parts).flatMap(Arrays::stream).toArray();
    }

    /** Returns what the columns of a new row are set to, owner and times included. */
    final String values(boolean claim, String until) {
        return claim ? "?, ?, ?, 'C', ?, " + until + ", " + until : "?, ?, ?, 'S', ?, null, " + until;
    }

    /** Returns the arguments of {@link #values}. */
    final @Nullable Object[] arguments(RowKey key, boolean claim, @Nullable String owner, long millis) {
        Object[] times = claim ? new Object[] {millis, millis} : new Object[] {millis};
        return all(key(key), new @Nullable Object[] {owner == null ? null : column(owner)}, times);
    }

    /** An insertion that is no failure if the row is there. */
    @FunctionalInterface
    interface Insert {

        /**
         * Inserts the row, or tells what is there.
         *
         * @param owner who claims or marks; null for nobody in particular
         * @param millis how long the claim or the mark lives
         */
        RowState run(Connection connection, RowKey key, @Nullable String owner, long millis) throws SQLException;
    }
}
