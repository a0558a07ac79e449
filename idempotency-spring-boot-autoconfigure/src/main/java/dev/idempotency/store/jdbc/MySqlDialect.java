package dev.idempotency.store.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** MySQL 8 or later. Columns are binary, since every collation of texts ignores something. */
final class MySqlDialect extends StandardDialect {

    // not of the session's time zone, which has hours twice
    static final String NOW = "(timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000)";

    MySqlDialect(String now) {
        super(
                now,
                Set.of("1062"),
                // lock wait; statement interrupted, or timed out, there or as MariaDB says it
                Set.of("1205", "1317", "3024", "1969"),
                // deadlock; record changed
                Set.of("1213", "1020"));
    }

    @Override
    Object column(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Inserts all of them at once; if anything is in the way of one, each by itself. */
    @Override
    InsertAll insertAll(String table, boolean claim) {
        InsertAll oneByOne = super.insertAll(table, claim);
        return (connection, keys, owner, millis) -> {
            String sql = "insert into " + table + " " + COLUMNS + " values "
                    + String.join(", ", Collections.nCopies(keys.size(), row(claim)));
            Object[] arguments = keys.stream()
                    .map(key -> all(key(key), arguments(claim, owner, millis)))
                    .flatMap(Arrays::stream)
                    .toArray();
            if (!inserted(connection, sql, arguments)) {
                return oneByOne.run(connection, keys, owner, millis);
            }
            Map<RowKey, RowState> states = new LinkedHashMap<>();
            keys.forEach(key -> states.put(key, RowState.INSERTED));
            return states;
        };
    }

    @Override
    int deleteExpired(Connection connection, String table, int limit) throws SQLException {
        return update(
                connection, "delete from " + table + " where " + expired() + " order by expires_at limit ?", limit);
    }
}
