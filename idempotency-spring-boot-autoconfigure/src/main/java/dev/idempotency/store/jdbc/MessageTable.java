package dev.idempotency.store.jdbc;

import dev.idempotency.Claim;
import dev.idempotency.MessageState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The statements on the rows of messages, each of which is atomic by itself. */
final class MessageTable {

    private static final Object[] NONE = {};

    private final Dialect dialect;
    private final String table;
    private final String select;
    private final String describe;
    private final Dialect.Insert insertMark;
    private final Dialect.Insert insertClaim;
    private final Dialect.InsertAll insertMarks;
    private final Dialect.InsertAll insertClaims;
    private final String mark;
    private final String markAnew;
    private final String claimAnew;
    private final String renew;
    private final String complete;
    private final String dropClaim;
    private final String deleteClaim;
    private final String unmark;
    private final String deleteMark;

    MessageTable(Dialect dialect, String table) {
        this.dialect = dialect;
        this.table = table;
        String now = dialect.clock();
        String update = "update " + table + " set ";
        String delete = "delete from " + table;
        String live = "(status = 'S' and expires_at > " + now + ")";
        String free = "not " + live + " and (locked_until is null or locked_until <= " + now;
        String mine = "owner = ? and locked_until > " + now;
        select = dialect.select(table);
        describe = dialect.statement(
                "select " + dialect.state() + ", expires_at, claimed_at from " + table + " where " + Dialect.KEY);
        insertMark = dialect.insert(table, false);
        insertClaim = dialect.insert(table, true);
        insertMarks = dialect.insertAll(table, false);
        insertClaims = dialect.insertAll(table, true);
        // a claim stays as it is
        mark = dialect.change(update + "status = 'S', expires_at = " + now + " + ?", "not " + live);
        markAnew = dialect.change(
                update + "status = 'S', owner = null, locked_until = null, claimed_at = null, expires_at = " + now
                        + " + ?",
                free + ")");
        claimAnew = dialect.change(
                update + "status = 'C', owner = ?, claimed_at = " + now + ", locked_until = " + now
                        + " + ?, expires_at = " + now + " + ?",
                free + " or owner = ?)");
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

    /** Returns what is there of the message; null if nothing is. */
    @Nullable
    RowState find(Connection connection, RowKey key) throws SQLException {
        return dialect.find(connection, select, key);
    }

    /** Returns what is there of those messages of which something is. */
    Map<RowKey, RowState> findAll(Connection connection, List<RowKey> keys) throws SQLException {
        return dialect.findAll(connection, table, keys);
    }

    /** Returns what is there of the message, in the words of those who ask. */
    MessageState describe(Connection connection, RowKey key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(describe)) {
            dialect.limit(statement);
            Dialect.bind(statement, dialect.key(key));
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    return MessageState.unknown();
                }
                RowState state = Dialect.state(rows, 1);
                if (state.seen()) {
                    return MessageState.seen(Instant.ofEpochMilli(rows.getLong(3)));
                }
                return state.owner() != null
                        ? MessageState.inFlight(Instant.ofEpochMilli(rows.getLong(4)))
                        : MessageState.unknown();
            }
        }
    }

    /** Inserts a mark, or turns a row whose mark and claim have run out into one. */
    Claim record(Connection connection, RowKey key, long millis) throws SQLException {
        return recorded(connection, key, insertMark.run(connection, key, null, millis), millis);
    }

    /** Records each of them. */
    Map<RowKey, Claim> recordAll(Connection connection, List<RowKey> keys, long millis) throws SQLException {
        Map<RowKey, Claim> claims = new LinkedHashMap<>();
        for (var each : insertMarks.run(connection, keys, null, millis).entrySet()) {
            claims.put(each.getKey(), recorded(connection, each.getKey(), each.getValue(), millis));
        }
        return claims;
    }

    private Claim recorded(Connection connection, RowKey key, RowState state, long millis) throws SQLException {
        if (state.inserted()) {
            return Claim.ACQUIRED;
        }
        if (state.seen()) {
            return Claim.SEEN;
        }
        if (state.busy() || state.owner() != null) {
            return Claim.HELD;
        }
        return change(connection, markAnew, key, new Object[] {millis}, NONE) == 1 ? Claim.ACQUIRED : Claim.HELD;
    }

    /** Inserts a claim, or turns a row whose mark and claim have run out into one. */
    Claim claim(Connection connection, RowKey key, String owner, long millis) throws SQLException {
        return claimed(connection, key, insertClaim.run(connection, key, owner, millis), owner, millis);
    }

    /** Claims each of them. */
    Map<RowKey, Claim> claimAll(Connection connection, List<RowKey> keys, String owner, long millis)
            throws SQLException {
        Map<RowKey, Claim> claims = new LinkedHashMap<>();
        for (var each : insertClaims.run(connection, keys, owner, millis).entrySet()) {
            claims.put(each.getKey(), claimed(connection, each.getKey(), each.getValue(), owner, millis));
        }
        return claims;
    }

    private Claim claimed(Connection connection, RowKey key, RowState state, String owner, long millis)
            throws SQLException {
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
        Object[] values = {dialect.column(owner), millis, millis};
        int changed = change(connection, claimAnew, key, values, new Object[] {dialect.column(owner)});
        return changed == 1 ? Claim.ACQUIRED : Claim.HELD;
    }

    /** Marks over anything; null if another was faster, and what it has done is not known. */
    @Nullable
    Boolean remember(Connection connection, RowKey key, long millis) throws SQLException {
        return remembered(connection, key, insertMark.run(connection, key, null, millis), millis);
    }

    /** Remembers each of them. */
    Map<RowKey, @Nullable Boolean> rememberAll(Connection connection, List<RowKey> keys, long millis)
            throws SQLException {
        Map<RowKey, @Nullable Boolean> marked = new LinkedHashMap<>();
        for (var each : insertMarks.run(connection, keys, null, millis).entrySet()) {
            marked.put(each.getKey(), remembered(connection, each.getKey(), each.getValue(), millis));
        }
        return marked;
    }

    private @Nullable Boolean remembered(Connection connection, RowKey key, RowState state, long millis)
            throws SQLException {
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

    /** Deletes rows whose time is over; returns how many. */
    int deleteExpired(Connection connection, int limit) throws SQLException {
        return dialect.deleteExpired(connection, table, limit);
    }

    /** Returns for how many milliseconds the oldest row has been expired; none or less if none is. */
    long oldestExpired(Connection connection) throws SQLException {
        String sql = "select " + dialect.clock() + " - min(expires_at) from " + table;
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet answer = statement.executeQuery()) {
            return answer.next() ? answer.getLong(1) : 0;
        }
    }

    private int change(Connection connection, String sql, RowKey key, Object[] values, Object[] conditions)
            throws SQLException {
        return dialect.change(connection, sql, key, values, conditions);
    }
}
