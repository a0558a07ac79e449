package dev.idempotency.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        String sql = ATTEMPT + "inserted as (insert into " + table + " " + COLUMNS + " select ?, ?, ?, "
                + values(claim, until())
                + " from attempt where free on conflict do nothing returning 1)"
                + " select free, (select count(*) from inserted) = 1, " + state()
                + " from attempt left join " + table + " on " + KEY;
        return (connection, key, owner, millis) -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                bind(statement, all(lock(key), key(key), arguments(claim, owner, millis), key(key)));
                try (ResultSet answer = statement.executeQuery()) {
                    answer.next();
                    return inserted(answer, 1);
                }
            }
        };
    }

    @Override
    InsertAll insertAll(String table, boolean claim) {
        String sql = "with given as materialized (select n, namespace, consumer, message_id,"
                + " pg_try_advisory_xact_lock(number) as free from unnest(cast(? as varchar[]), cast(? as varchar[]),"
                + " cast(? as varchar[]), cast(? as bigint[])) with ordinality"
                + " as keys (namespace, consumer, message_id, number, n)), inserted as (insert into " + table + " "
                + COLUMNS + " select namespace, consumer, message_id, " + values(claim, until())
                + " from given where free on conflict do nothing returning namespace, consumer, message_id)"
                + " select n, free, i.namespace is not null, " + state() + " from given g"
                + " left join inserted i on " + same("i") + " left join " + table + " r on " + same("r");
        return (connection, keys, owner, millis) -> {
            Map<RowKey, RowState> states = new LinkedHashMap<>();
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                bind(statement, all(columns(connection, keys), arguments(claim, owner, millis)));
                try (ResultSet answer = statement.executeQuery()) {
                    while (answer.next()) {
                        states.put(keys.get(answer.getInt(1) - 1), inserted(answer, 2));
                    }
                }
            }
            return states;
        };
    }

    private static String same(String alias) {
        return "g.namespace = " + alias + ".namespace and g.consumer = " + alias + ".consumer and g.message_id = "
                + alias + ".message_id";
    }

    private String until() {
        return clock() + " + cast(? as bigint)";
    }

    private static RowState inserted(ResultSet answer, int first) throws SQLException {
        if (!answer.getBoolean(first)) {
            return RowState.BUSY;
        }
        return answer.getBoolean(first + 1) ? RowState.INSERTED : state(answer, first + 2);
    }

    private static Object[] columns(Connection connection, List<RowKey> keys) throws SQLException {
        return new Object[] {
            connection.createArrayOf(
                    "varchar", keys.stream().map(RowKey::namespace).toArray()),
            connection.createArrayOf(
                    "varchar", keys.stream().map(RowKey::consumer).toArray()),
            connection.createArrayOf(
                    "varchar", keys.stream().map(RowKey::messageId).toArray()),
            connection.createArrayOf(
                    "bigint", keys.stream().map(RowKey::lockNumber).toArray())
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

    // A time that changes while the statement runs would keep it from using the index.
    @Override
    int deleteExpired(Connection connection, String table, int limit) throws SQLException {
        String sql = "with present as materialized (select " + clock() + " as time) delete from " + table
                + " where ctid = any (array (select ctid from " + table
                + " where expires_at <= (select time from present)"
                + " and (locked_until is null or locked_until <= (select time from present))"
                + " order by expires_at limit ? for update skip locked))";
        return Connections.update(connection, sql, limit);
    }
}
