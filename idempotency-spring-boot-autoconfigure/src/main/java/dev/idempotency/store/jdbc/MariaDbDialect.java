package dev.idempotency.store.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * MariaDB 10.5 or later. Columns are binary, since every collation of texts ignores something. Whether a row was
 * inserted or was there already, the statement tells by the owner that it returns.
 */
final class MariaDbDialect extends Dialect {

    // not of the session's time zone, which has hours twice
    static final String NOW = "(timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000)";

    private static final String WAITING_A_SECOND = "set statement innodb_lock_wait_timeout = 1 for ";

    MariaDbDialect(String now) {
        // lock wait; deadlock, record changed
        super(now, Set.of("1205"), Set.of("1213", "1020"));
    }

    @Override
    Object column(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    String statement(String sql) {
        return WAITING_A_SECOND + sql;
    }

    @Override
    Insert insert(String table, boolean claim) {
        String sql = insertion(table, claim, 1);
        return (connection, key, owner, millis) -> {
            try {
                return insert(connection, sql, List.of(key), claim, owner, millis)
                        .values()
                        .iterator()
                        .next();
            } catch (SQLException ex) {
                if (hasWaitedInVain(ex)) {
                    return RowState.BUSY;
                }
                throw ex;
            }
        };
    }

    @Override
    InsertAll insertAll(String table, boolean claim) {
        InsertAll oneByOne = super.insertAll(table, claim);
        return (connection, keys, owner, millis) -> {
            try {
                return insert(connection, insertion(table, claim, keys.size()), keys, claim, owner, millis);
            } catch (SQLException ex) {
                // Another transaction is at one of them: at which, they tell one by one.
                if (hasWaitedInVain(ex)) {
                    return oneByOne.run(connection, keys, owner, millis);
                }
                throw ex;
            }
        };
    }

    private String insertion(String table, boolean claim, int rows) {
        String row = "(?, ?, ?, " + values(claim, clock() + " + ?") + ")";
        return statement("insert into " + table + " " + COLUMNS + " values "
                + String.join(", ", Collections.nCopies(rows, row))
                + " on duplicate key update namespace = namespace returning namespace, consumer, message_id, owner, "
                + state());
    }

    private Map<RowKey, RowState> insert(
            Connection connection, String sql, List<RowKey> keys, boolean claim, @Nullable String owner, long millis)
            throws SQLException {
        String token = owner != null
                ? owner
                : Long.toHexString(ThreadLocalRandom.current().nextLong());
        Map<RowKey, RowState> states = new LinkedHashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(
                    statement,
                    keys.stream()
                            .map(key -> all(key(key), arguments(claim, token, millis)))
                            .flatMap(Arrays::stream)
                            .toArray());
            try (ResultSet answer = statement.executeQuery()) {
                while (answer.next()) {
                    boolean isOwn = owner == null && token.equals(answer.getString(4));
                    states.put(rowKey(answer), isOwn ? RowState.INSERTED : state(answer, 5));
                }
            }
        }
        return states;
    }

    @Override
    int change(Connection connection, String sql, RowKey key, @Nullable Object[] values, Object[] conditions)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, all(values, key(key), conditions));
            return statement.executeUpdate();
        } catch (SQLException ex) {
            if (hasWaitedInVain(ex)) {
                return BUSY;
            }
            throw ex;
        }
    }

    @Override
    int deleteExpired(Connection connection, String table, int limit) throws SQLException {
        String sql = statement("delete from " + table + " where " + expired() + " order by expires_at limit ?");
        return Connections.update(connection, sql, limit);
    }
}
