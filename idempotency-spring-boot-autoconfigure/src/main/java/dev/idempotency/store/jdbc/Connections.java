package dev.idempotency.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Connections to the store's database: that of the transaction which is open on the thread, else one for a step of its
 * own, whose settings are left as they were found.
 */
final class Connections {

    private final DataSource dataSource;

    /** A proxy that takes part in transactions is what its target is: that is what managers bind. */
    Connections(DataSource dataSource) {
        DataSource bound = dataSource;
        while (bound instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
            bound = proxy.getTargetDataSource();
        }
        this.dataSource = bound;
    }

    DataSource dataSource() {
        return dataSource;
    }

    /** Returns whether a transaction is open on this very data source; one on a wrapper of it has another key. */
    boolean areBound() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.hasResource(dataSource);
    }

    <R> R call(Step<R> step) throws SQLException {
        if (!areBound()) {
            return callAlone(step);
        }
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            return step.on(connection);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    private <R> R callAlone(Step<R> step) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            boolean commits = !connection.getAutoCommit();
            R result;
            try {
                result = step.on(connection);
            } catch (Throwable ex) {
                if (commits) {
                    rollback(connection, ex);
                }
                throw ex;
            }
            if (commits) {
                connection.commit();
            }
            return result;
        }
    }

    /** Runs a step on a connection of its own at READ COMMITTED, where it locks no row that it does not change. */
    <R> R callAside(Step<R> step) throws SQLException {
        return callAlone(connection -> {
            int found = connection.getTransactionIsolation();
            if (found == Connection.TRANSACTION_READ_COMMITTED) {
                return step.on(connection);
            }
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            try {
                R result = step.on(connection);
                if (!connection.getAutoCommit()) {
                    connection.commit();
                }
                return result;
            } catch (SQLException ex) {
                if (!connection.getAutoCommit()) {
                    rollback(connection, ex);
                }
                throw ex;
            } finally {
                connection.setTransactionIsolation(found);
            }
        });
    }

    private static void rollback(Connection connection, Throwable failure) {
        try {
            connection.rollback();
        } catch (SQLException ex) {
            failure.addSuppressed(ex);
        }
    }

    /** Something that is done on one connection. */
    @FunctionalInterface
    interface Step<R> {
        R on(Connection connection) throws SQLException;
    }

    /** Runs a statement, and returns how many rows it has changed. */
    static int update(Connection connection, String sql, @Nullable Object... arguments) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            Dialect.bind(statement, arguments);
            return statement.executeUpdate();
        }
    }
}
