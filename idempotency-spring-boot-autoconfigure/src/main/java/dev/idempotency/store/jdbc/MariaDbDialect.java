package dev.idempotency.store.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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
    Insert insert(String table, boolean claim) {
        String sql = WAITING_A_SECOND + "insert into " + table + " " + COLUMNS + " values ("
                + values(claim, clock() + " + ?")
                + ") on duplicate key update namespace = namespace returning owner, " + state();
        return (connection, key, owner, millis) -> {
            String token = owner != null
                    ? owner
                    : Long.toHexString(ThreadLocalRandom.current().nextLong());
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                bind(statement, arguments(key, claim, token, millis));
                try (ResultSet answer = statement.executeQuery()) {
                    answer.next();
                    boolean isOwn = owner == null && token.equals(answer.getString(1));
                    return isOwn ? RowState.INSERTED : state(answer, 2);
                }
            } catch (SQLException ex) {
                if (hasWaitedInVain(ex)) {
                    return RowState.BUSY;
                }
                throw ex;
            }
        };
    }

    @Override
    String change(String head, String condition) {
        return WAITING_A_SECOND + super.change(head, condition);
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
}
