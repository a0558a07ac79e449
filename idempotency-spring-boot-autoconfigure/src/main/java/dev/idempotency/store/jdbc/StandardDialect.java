package dev.idempotency.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Standard SQL. It inserts, and looks for what is there if that fails for it, which is told by code. It suits databases
 * where a statement that has failed leaves its transaction usable.
 */
class StandardDialect extends Dialect {

    private static final int LONGEST_WAIT_SECONDS = 1;

    private final Set<String> duplicateKey;

    /** Creates a dialect; {@code duplicateKey} are the codes of an insertion that met a row. */
    StandardDialect(String now, Set<String> duplicateKey, Set<String> waitedInVain, Set<String> spoilt) {
        super(now, waitedInVain, spoilt);
        this.duplicateKey = Set.copyOf(duplicateKey);
    }

    @Override
    Insert insert(String table, boolean claim) {
        String insert = insertion(table, claim);
        String select = select(table);
        return (connection, key, owner, millis) -> {
            if (inserted(connection, insert, all(key(key), arguments(claim, owner, millis)))) {
                return RowState.INSERTED;
            }
            RowState found = find(connection, select, key);
            // What is not to be seen yet is seen at the next attempt.
            return found != null ? found : RowState.BUSY;
        };
    }

    final String insertion(String table, boolean claim) {
        return "insert into " + table + " " + COLUMNS + " values " + row(claim);
    }

    final String row(boolean claim) {
        return "(?, ?, ?, " + values(claim, clock() + " + ?") + ")";
    }

    /** Returns false if a row, or another transaction, is in the way. */
    final boolean inserted(Connection connection, String sql, @Nullable Object[] arguments) throws SQLException {
        try {
            update(connection, sql, arguments);
            return true;
        } catch (SQLException ex) {
            if (hasWaitedInVain(ex) || isOneOf(duplicateKey, ex)) {
                return false;
            }
            throw ex;
        }
    }

    @Override
    final int change(Connection connection, String sql, RowKey key, @Nullable Object[] values, Object[] conditions)
            throws SQLException {
        try {
            return update(connection, sql, all(values, key(key), conditions));
        } catch (SQLException ex) {
            if (hasWaitedInVain(ex)) {
                return BUSY;
            }
            throw ex;
        }
    }

    @Override
    void limit(PreparedStatement statement) throws SQLException {
        statement.setQueryTimeout(LONGEST_WAIT_SECONDS);
    }

    /** Runs a statement that waits a second at most for another transaction. */
    int update(Connection connection, String sql, @Nullable Object... arguments) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            limit(statement);
            bind(statement, arguments);
            return statement.executeUpdate();
        }
    }
}
