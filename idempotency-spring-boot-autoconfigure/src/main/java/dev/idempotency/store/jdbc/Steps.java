package dev.idempotency.store.jdbc;

import dev.idempotency.MessageKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;

/** Runs the steps of a store, each on the connection that it belongs to, and says what a lost race or a failure is. */
final class Steps {

    private static final long PATIENCE_NANOS = 1_000_000_000;
    private static final long PAUSE_NANOS = 20_000_000;

    private final Connections connections;
    private final JdbcDialect dialects;
    private final String table;
    private final SQLExceptionSubclassTranslator translator = new SQLExceptionSubclassTranslator();
    private volatile @Nullable Messages resolved;

    Steps(Connections connections, JdbcDialect dialects, String table) {
        this.connections = connections;
        this.dialects = dialects;
        this.table = table;
    }

    /** Runs a step once; what it answers if its transaction is lost to another one is {@code lost}. */
    <R> R once(String operation, R lost, Step<R> step) {
        try {
            return connections.call(connection -> step.on(messages(connection).table(), connection));
        } catch (SQLException ex) {
            if (isSpoilt(ex)) {
                return lost;
            }
            throw translated(operation, ex);
        }
    }

    /**
     * Runs a step of house-keeping, on a connection of its own.
     *
     * @throws CannotAcquireLockException if other transactions are in its way
     */
    <R> R aside(String operation, Step<R> step) {
        try {
            return connections.callAside(
                    connection -> step.on(messages(connection).table(), connection));
        } catch (SQLException ex) {
            throw isContention(ex) ? new CannotAcquireLockException(task(operation), ex) : translated(operation, ex);
        }
    }

    /** Runs a step on all rows, in parts, once each; what it answers if its transaction is lost is {@code lost}. */
    <R> Map<MessageKey, R> onEach(String operation, Map<RowKey, MessageKey> rows, R lost, PartStep<R> step) {
        Map<MessageKey, R> answers = new LinkedHashMap<>();
        rows.values().forEach(key -> answers.put(key, lost));
        for (List<RowKey> part : Rows.parts(rows.keySet())) {
            Map<RowKey, R> answered =
                    once(operation, Map.of(), (table, connection) -> step.on(table, connection, part));
            if (answered.isEmpty() && connections.areBound()) {
                // The caller's transaction is lost, and with it what went before.
                answers.replaceAll((key, any) -> lost);
                break;
            }
            answered.forEach((row, answer) -> answers.replace(rows.get(row), answer));
        }
        return answers;
    }

    /** Runs a step until it has not lost a race, which it says by null, or for about a second. */
    <R> R untilDone(String operation, Attempt<R> step) {
        long began = System.nanoTime();
        while (true) {
            try {
                Optional<R> result = connections.call(connection ->
                        Optional.ofNullable(step.on(messages(connection).table(), connection)));
                if (result.isPresent()) {
                    return result.get();
                }
            } catch (SQLException ex) {
                // A transaction of the caller is spoilt: it has to begin anew, and not this step.
                if (connections.areBound() || !isSpoilt(ex)) {
                    throw translated(operation, ex);
                }
            }
            if (System.nanoTime() - began > PATIENCE_NANOS) {
                throw busy(operation);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private CannotAcquireLockException busy(String operation) {
        return new CannotAcquireLockException(
                task(operation) + " could not be done, since other transactions are at the same message");
    }

    // Resolved once, and only when the database is needed anyway.
    private Messages messages(Connection connection) throws SQLException {
        Messages known = resolved;
        if (known == null) {
            Dialect dialect = dialects.of(connection);
            known = new Messages(dialect, new MessageTable(dialect, table));
            resolved = known;
        }
        return known;
    }

    private boolean isSpoilt(SQLException failure) {
        Messages known = resolved;
        return known != null && known.dialect().isSpoilt(failure);
    }

    private boolean isContention(SQLException failure) {
        Messages known = resolved;
        return known != null
                && (known.dialect().isSpoilt(failure) || known.dialect().hasWaitedInVain(failure));
    }

    private String task(String operation) {
        return "Idempotency store: '" + operation + "' on table " + table;
    }

    private DataAccessException translated(String operation, SQLException failure) {
        String task = task(operation);
        DataAccessException translated = translator.translate(task, null, failure);
        return translated != null ? translated : new UncategorizedSQLException(task, null, failure);
    }

    /** Returns null for what has to be tried again. */
    static @Nullable Boolean isDone(int changed) {
        return changed == Dialect.BUSY ? null : true;
    }

    /** One attempt on one connection; null if it has lost a race. */
    @FunctionalInterface
    interface Attempt<R> {
        @Nullable
        R on(MessageTable messages, Connection connection) throws SQLException;
    }

    /** A step on one connection. */
    @FunctionalInterface
    interface Step<R> {
        R on(MessageTable messages, Connection connection) throws SQLException;
    }

    /** A step on some of many rows. */
    @FunctionalInterface
    interface PartStep<R> {
        Map<RowKey, R> on(MessageTable messages, Connection connection, List<RowKey> part) throws SQLException;
    }

    private record Messages(Dialect dialect, MessageTable table) {}
}
