package dev.idempotency.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL. A statement that fails would spoil the transaction, and one that meets a row of another open transaction
 * would wait for it. So each first tries for a lock on the number of the message, which it holds until its transaction
 * ends: who does not get it knows at once that another is at it.
 */
final class PostgresDialect extends Dialect {

    static final String NOW = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

    private static final String ATTEMPT =
            "with attempt as materialized (select pg_try_advisory_xact_lock(?) as free), ";

    PostgresDialect(String now) {
        // any statement that fails is the end of its transaction
        super(now, Set.of(), Set.of("40001", "40P01", "55P03"));
    }

    @Override
    Insert insert(String table, boolean claim) {
        String sql = ATTEMPT + "inserted as (insert into " + table + " " + COLUMNS + " select "
                + values(claim, clock() + " + cast(? as bigint)")
                + " from attempt where free on conflict do nothing returning 1)"
                + " select free, (select count(*) from inserted), " + state()
                + " from attempt left join " + table + " on " + KEY;
        return (connection, key, owner, millis) -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                bind(statement, all(lock(key), arguments(key, claim, owner, millis), key(key)));
                try (ResultSet answer = statement.executeQuery()) {
                    answer.next();
                    if (!answer.getBoolean(1)) {
                        return RowState.BUSY;
                    }
                    return answer.getLong(2) == 1 ? RowState.INSERTED : state(answer, 3);
                }
            }
        };
    }

    private static Object[] lock(RowKey key) {
        return new Object[] {key.lockNumber()};
    }

    @Override
    String change(String head, String condition) {
        return ATTEMPT + "changed as (" + super.change(head, condition)
                + " and (select free from attempt) returning 1)"
                + " select (select free from attempt), (select count(*) from changed)";
    }

    @Override
    int change(Connection connection, String sql, RowKey key, @Nullable Object[] values, Object[] conditions)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, all(lock(key), values, key(key), conditions));
            try (ResultSet answer = statement.executeQuery()) {
                answer.next();
                return answer.getBoolean(1) ? answer.getInt(2) : BUSY;
            }
        }
    }
}
