package dev.idempotency.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The statements on the rows of messages, each of which is atomic by itself. */
final class MessageTable {

    private static final Object[] NONE = {};

    private final Dialect dialect;
    private final String select;
    private final Dialect.Insert insertMark;
    private final Dialect.Insert insertClaim;
    private final String mark;
    private final String takeOver;
    private final String renew;
    private final String complete;
    private final String dropClaim;
    private final String deleteClaim;
    private final String unmark;
    private final String deleteMark;

    MessageTable(Dialect dialect, String table) {
        this.dialect = dialect;
        String now = dialect.clock();
        String update = "update " + table + " set ";
        String delete = "delete from " + table;
        String live = "(status = 'S' and expires_at > " + now + ")";
        String mine = "owner = ? and locked_until > " + now;
        select = dialect.select(table);
        insertMark = dialect.insert(table, false);
        insertClaim = dialect.insert(table, true);
        // a claim stays as it is
        mark = dialect.change(update + "status = 'S', expires_at = " + now + " + ?", "not " + live);
        takeOver = dialect.change(
                update + "status = ?, owner = ?, locked_until = " + now + " + ?, expires_at = " + now + " + ?",
                "not " + live + " and (locked_until is null or locked_until <= " + now + " or owner = ?)");
        renew = dialect.change(
                update + "locked_until = " + now + " + ?," + " expires_at = case when status = 'C' then " + now
                        + " + ? else expires_at end",
                mine);
        complete = dialect.change(
                update + "status = 'S', locked_until = null, expires_at = " + now + " + ?", mine + " and not " + live);
        dropClaim = dialect.change(update + "locked_until = null", "owner = ? and status = 'S'");
        deleteClaim = dialect.change(delete, "owner = ? and status = 'C'");
        unmark = dialect.change(
                update + "status = 'C', expires_at = locked_until", "status = 'S' and locked_until > " + now);
        deleteMark = dialect.change(delete, "status = 'S'");
    }

    @Nullable
    RowState find(Connection connection, RowKey key) throws SQLException {
        return dialect.find(connection, select, key);
    }

    RowState insertMark(Connection connection, RowKey key, long millis) throws SQLException {
        return insertMark.run(connection, key, null, millis);
    }

    RowState insertClaim(Connection connection, RowKey key, String owner, long millis) throws SQLException {
        return insertClaim.run(connection, key, owner, millis);
    }

    /** Marks a row over whatever else it holds; no row if it has a live mark. */
    int mark(Connection connection, RowKey key, long millis) throws SQLException {
        return change(connection, mark, key, new Object[] {millis}, NONE);
    }

    /** Makes a row whose mark and claim have run out a mark. */
    int takeOverByMark(Connection connection, RowKey key, long millis) throws SQLException {
        return change(
                connection, takeOver, key, new Object[] {"S", null, 0L, millis}, new Object[] {dialect.column("")});
    }

    /** Makes a row whose mark and claim have run out, or whose claim is the owner's, a claim. */
    int takeOverByClaim(Connection connection, RowKey key, String owner, long millis) throws SQLException {
        return change(
                connection, takeOver, key, new Object[] {"C", dialect.column(owner), millis, millis}, new Object[] {
                    dialect.column(owner)
                });
    }

    int renew(Connection connection, RowKey key, String owner, long millis) throws SQLException {
        return change(connection, renew, key, new Object[] {millis, millis}, new Object[] {dialect.column(owner)});
    }

    /** Turns the owner's live claim into a mark; no row if it has no such claim, or if there is a live mark. */
    int complete(Connection connection, RowKey key, String owner, long millis) throws SQLException {
        return change(connection, complete, key, new Object[] {millis}, new Object[] {dialect.column(owner)});
    }

    /** Ends the owner's claim on a row with a mark. */
    int dropClaim(Connection connection, RowKey key, String owner) throws SQLException {
        return change(connection, dropClaim, key, NONE, new Object[] {dialect.column(owner)});
    }

    /** Ends the owner's claim on a row without a mark. */
    int deleteClaim(Connection connection, RowKey key, String owner) throws SQLException {
        return change(connection, deleteClaim, key, NONE, new Object[] {dialect.column(owner)});
    }

    /** Removes the mark of a row with a live claim. */
    int unmark(Connection connection, RowKey key) throws SQLException {
        return change(connection, unmark, key, NONE, NONE);
    }

    /** Removes a row with a mark. */
    int deleteMark(Connection connection, RowKey key) throws SQLException {
        return change(connection, deleteMark, key, NONE, NONE);
    }

    private int change(Connection connection, String sql, RowKey key, @Nullable Object[] values, Object[] conditions)
            throws SQLException {
        return dialect.change(connection, sql, key, values, conditions);
    }
}
