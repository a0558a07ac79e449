package dev.idempotency.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** Chooses the dialect for a database. */
@FunctionalInterface
interface Dialects {

    Dialect of(Connection connection) throws SQLException;

    /** By the product that answers, whatever stands in between and however it spells the name. */
    static Dialect byProduct(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product.toLowerCase(Locale.ROOT).strip()) {
            case "postgresql" -> new PostgresDialect(PostgresDialect.NOW);
            case "mariadb" -> new MariaDbDialect(MariaDbDialect.NOW);
            case "h2" -> new H2Dialect(H2Dialect.NOW);
            default ->
                throw new IllegalStateException("No idempotency store for database '" + product
                        + "': PostgreSQL, MariaDB and H2 are supported");
        };
    }
}
