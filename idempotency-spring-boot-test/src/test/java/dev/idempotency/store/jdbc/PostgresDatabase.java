package dev.idempotency.store.jdbc;

import java.time.Duration;

/** A schema of its own in an installed PostgreSQL. */
final class PostgresDatabase extends TestDatabase {

    private static final String URL = "jdbc:postgresql://127.0.0.1:5432/test";
    private static final String USER = "postgres";

    private final String schema;
    private long offset = 1;

    private PostgresDatabase(String schema, Isolation isolation) {
        super(URL + "?currentSchema=" + schema, USER, isolation);
        this.schema = schema;
        createTable("postgresql");
        // no part of any transaction
        execute("create sequence test_offset");
    }

    static TestDatabase installed(Isolation isolation) {
        return shared("installed PostgreSQL " + isolation, () -> {
            String schema = freshName();
            onServer(URL, USER, "create schema " + schema);
            return new PostgresDatabase(schema, isolation);
        });
    }

    @Override
    Dialects dialects() {
        return connection ->
                new PostgresDialect("(" + PostgresDialect.NOW + " + (select last_value from test_offset))");
    }

    @Override
    public void pass(Duration time) {
        offset += time.toMillis();
        execute("select setval('test_offset', " + offset + ")");
    }

    @Override
    void close() {
        super.close();
        onServer(URL, USER, "drop schema " + schema + " cascade");
    }
}
