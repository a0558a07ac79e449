package dev.idempotency.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What differs from database to database: its clock, how a row is inserted if it is absent, and how long a statement may
 * wait for another transaction, which is a second at most.
 */
abstract class Dialect {

    static final String KEY = "namespace = ? and consumer = ? and message_id = ?";
    static final String COLUMNS =
            "(namespace, consumer, message_id, status, owner, locked_until, expires_at, claimed_at)";

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
        this.waitedInVain = Set.copyOf(waitedInVain);
        this.spoilt = Set.copyOf(spoilt);
    }

    final String clock() {
        return now;
    }

    /** Returns what inserts a row if there is none, and else tells what is there. */
    abstract Insert insert(String table, boolean claim);

    /** Returns the statement for {@link #change}. */
    String change(String head, String condition) {
        return statement(head + " where " + KEY + " and " + condition);
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
    static boolean isOneOf(Set<String> codes, SQLException failure) {
        return codes.contains(String.valueOf(failure.getSQLState()))
                || codes.contains(String.valueOf(failure.getErrorCode()));
    }

    final String select(String table) {
        return statement("select " + state() + " from " + table + " where " + KEY);
    }

    /** Returns a statement that waits for other transactions as long as it may, where its text says so. */
    String statement(String sql) {
        return sql;
    }

    /** The columns that {@link #state(ResultSet, int)} reads. */
    final String state() {
        return "case when status = 'S' and expires_at > " + now + " then 1 else 0 end," + " case when locked_until > "
                + now + " then owner end";
    }

    static RowState state(ResultSet row, int first) throws SQLException {
        return new RowState(false, false, row.getInt(first) == 1, row.getString(first + 1));
    }

    /** Returns what is there of the message; null if nothing is. */
    final @Nullable RowState find(Connection connection, String select, RowKey key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(select)) {
            limit(statement);
            bind(statement, key(key));
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? state(rows, 1) : null;
            }
        } catch (SQLException ex) {
            // A serializable transaction may wait to read, too.
            if (hasWaitedInVain(ex)) {
                return RowState.BUSY;
            }
            throw ex;
        }
    }

    /** Limits how long a statement waits for another transaction, where its text does not. */
    void limit(PreparedStatement statement) throws SQLException {}

    static void bind(PreparedStatement statement, @Nullable Object... arguments) throws SQLException {
        for (int i = 0; i < arguments.length; i++) {
            statement.setObject(i + 1, arguments[i]);
        }
    }

    static @Nullable Object[] all(@Nullable Object[]... parts) {
        return Arrays.stream(parts).flatMap(Arrays::stream).toArray();
    }

    /** Returns what the columns of a new row after its key are set to; {@code until} has a parameter. */
    final String values(boolean claim, String until) {
        return claim ? "'C', ?, " + until + ", " + until + ", " + now : "'S', ?, null, " + until + ", null";
    }

    /** Returns the arguments of {@link #values}. */
    final @Nullable Object[] arguments(boolean claim, @Nullable String owner, long millis) {
        Object token = owner == null ? null : column(owner);
        return claim ? new @Nullable Object[] {token, millis, millis} : new @Nullable Object[] {token, millis};
    }

    /** Returns what inserts many rows; a statement for each, unless the database has one for all. */
    InsertAll insertAll(String table, boolean claim) {
        Insert insert = insert(table, claim);
        return (connection, keys, owner, millis) -> {
            Map<RowKey, RowState> states = new LinkedHashMap<>();
            for (RowKey key : keys) {
                states.put(key, insert.run(connection, key, owner, millis));
            }
            return states;
        };
    }

    /** Returns what is there of those messages of which something is. */
    final Map<RowKey, RowState> findAll(Connection connection, String table, List<RowKey> keys) throws SQLException {
        String any = String.join(" or ", Collections.nCopies(keys.size(), "(" + KEY + ")"));
        String select = "select namespace, consumer, message_id, " + state() + " from " + table + " where " + any;
        Map<RowKey, RowState> found = new LinkedHashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(statement(select))) {
            limit(statement);
            bind(statement, keys.stream().map(this::key).flatMap(Arrays::stream).toArray());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.put(rowKey(rows), state(rows, 4));
                }
            }
        } catch (SQLException ex) {
            if (!hasWaitedInVain(ex)) {
                throw ex;
            }
            keys.forEach(key -> found.put(key, RowState.BUSY));
        }
        return found;
    }

    /** Returns the key that the first three columns are. */
    static RowKey rowKey(ResultSet row) throws SQLException {
        return new RowKey(row.getString(1), row.getString(2), row.getString(3));
    }

    /** Deletes rows whose time is over, the oldest ones first; returns how many. Rows that others are at may stay. */
    int deleteExpired(Connection connection, String table, int limit) throws SQLException {
        List<RowKey> expired = new ArrayList<>();
        String select =
                "select namespace, consumer, message_id from " + table + " where " + expired() + " order by expires_at";
        try (PreparedStatement statement = connection.prepareStatement(select)) {
            limit(statement);
            statement.setMaxRows(limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    expired.add(rowKey(rows));
                }
            }
        }
        String delete = change("delete from " + table, expired());
        int deleted = 0;
        for (RowKey key : expired) {
            deleted += Math.max(0, change(connection, delete, key, new Object[0], new Object[0]));
        }
        return deleted;
    }

    /** The condition of a row that says nothing any more. */
    final String expired() {
        return "expires_at <= " + now + " and (locked_until is null or locked_until <= " + now + ")";
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
    /** An insertion of many rows, none of which is a failure if it is there. */
    @FunctionalInterface
    interface InsertAll {

        /**
         * Inserts the rows, or tells what is there.
         *
         * @param keys no key twice, and in the order of everyone
         * @param owner who claims or marks; null for nobody in particular
         * @param millis how long the claim or the mark lives
         */
        Map<RowKey, RowState> run(Connection connection, List<RowKey> keys, @Nullable String owner, long millis)
                throws SQLException;
    }
}
