package dev.idempotency.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * How a database is spoken to: found out by the product that answers, named, or described for one that is not known.
 * Immutable.
 *
 * @since 0.1
 */
public final class JdbcDialect {

    private static final JdbcDialect DETECTED =
            new JdbcDialect(connection -> byName(connection.getMetaData().getDatabaseProductName()));

    private final Source source;

    JdbcDialect(Source source) {
        this.source = source;
    }

    /**
     * Returns the one that suits the database which answers, whatever pools and proxies stand in between. It is found
     * out once, when the first connection is used.
     */
    public static JdbcDialect detected() {
        return DETECTED;
    }

    /**
     * Returns a dialect by its name.
     *
     * @param name {@code postgresql}, {@code mariadb}, {@code mysql} or {@code h2}, in upper or lower case
     * @throws IllegalArgumentException if there is no such dialect
     */
    public static JdbcDialect named(String name) {
        Dialect dialect = byName(name);
        return new JdbcDialect(connection -> dialect);
    }

    /**
     * Describes a database that speaks standard SQL, and where a transaction remains usable after a statement that has
     * failed. The driver must observe {@link java.sql.Statement#setQueryTimeout}, or a statement waits for another
     * transaction as long as that one lasts.
     *
     * <p>Codes are vendors' error codes or SQL states, as {@link SQLException} has them. What is in none of the sets is
     * a failure of the store, and never taken for a race.
     *
     * @param clock an expression that gives the database's present time in milliseconds since 1970 UTC, as a number
     * @param duplicateKey codes of an insertion that met a row with its key
     * @param contention codes of a statement that another transaction was in the way of, and that changed nothing, the
     *     one of a query time-out included
     * @param lostTransaction codes that mean that the whole transaction was rolled back because of another one
     */
    public static JdbcDialect standard(
            String clock, Set<String> duplicateKey, Set<String> contention, Set<String> lostTransaction) {
        Dialect dialect = new StandardDialect(
                Objects.requireNonNull(clock, "'clock' must not be null"), duplicateKey, contention, lostTransaction);
        return new JdbcDialect(connection -> dialect);
    }

    private static Dialect byName(String name) {
        return switch (name.toLowerCase(Locale.ROOT).strip()) {
            case "postgresql" -> new PostgresDialect(PostgresDialect.NOW);
            case "mariadb" -> new MariaDbDialect(MariaDbDialect.NOW);
            case "mysql" -> new MySqlDialect(MySqlDialect.NOW);
            case "h2" -> new H2Dialect(H2Dialect.NOW);
            default ->
                throw new IllegalArgumentException("No dialect of the idempotency store is known for '" + name
                        + "'. Known are postgresql, mariadb, mysql and h2. If it speaks like one of them, name that in"
                        + " 'idempotency.jdbc.platform'; else describe it by a JdbcDialect bean, with"
                        + " JdbcDialect.standard.");
        };
    }

    Dialect of(Connection connection) throws SQLException {
        return source.of(connection);
    }

    /** Tells the dialect by a connection. */
    @FunctionalInterface
    interface Source {
        Dialect of(Connection connection) throws SQLException;
    }
}
