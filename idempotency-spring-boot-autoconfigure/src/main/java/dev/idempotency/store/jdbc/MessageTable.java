package dev.idempotency.store.jdbc;

import dev.idempotency.Claim;
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

    /** Inserts a mark, or turns a row whose mark and claim have run out into one. */
    Claim record(Connection connection, RowKey key, long millis) throws SQLException {
        RowState state = insertMark.run(connection, key, null, millis);
        if (state.inserted()) {
            return Claim.ACQUIRED;
        }
        if (state.seen()) {
            return Claim.SEEN;
        }
        if (state.busy() || state.owner() != null) {
            return Claim.HELD;
        }
        @Nullable Object[] values = {"S", null, 0L, millis};
        int changed = change(connection, takeOver, key, values, new Object[] {dialect.column("")});
        return changed == 1 ? Claim.ACQUIRED : Claim.HELD;
    }

    /** Inserts a claim, or turns a row whose mark and claim have run out into one. */
    Claim claim(Connection connection, RowKey key, String owner, long millis) throws SQLException {
        RowState state = insertClaim.run(connection, key, owner, millis);
        if (state.inserted()) {
            return Claim.ACQUIRED;
        }
        if (state.seen()) {
            return Claim.SEEN;
        }
        if (state.busy()) {
            return Claim.HELD;
        }
        if (state.owner() != null) {
            return state.owner().equals(owner) ? Claim.ACQUIRED : Claim.HELD;
        }
        Object[] values = {"C", dialect.column(owner), millis, millis};
        int changed = change(connection, takeOver, key, values, new Object[] {dialect.column(owner)});
        return changed == 1 ? Claim.ACQUIRED : Claim.HELD;
    }

    /** Marks over anything; null if another was faster, and what it has done is not known. */
    @Nullable
    Boolean remember(Connection connection, RowKey key, long millis) throws SQLException {
        RowState state = insertMark.run(connection, key, null, millis);
        if (state.inserted()) {
            return true;
        }
        if (state.busy()) {
            return null;
        }
        if (state.seen()) {
            return false;
        }
        return change(connection, mark, key, new Object[] {millis}, NONE) == 1 ? true : null;
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
