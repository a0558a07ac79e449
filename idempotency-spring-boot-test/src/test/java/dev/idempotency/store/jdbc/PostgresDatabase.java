package dev.idempotency.store.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** A schema of its own in a PostgreSQL. */
final class PostgresDatabase extends TestDatabase {

    private static final String USER = "postgres";

    private final String serverUrl;
    private final String schema;
    private long offset = 1;

    private PostgresDatabase(String serverUrl, String schema, Isolation isolation) {
        super(serverUrl + (serverUrl.contains("?") ? "&" : "?") + "currentSchema=" + schema, USER, isolation);
        this.serverUrl = serverUrl;
        this.schema = schema;
        createTable("postgresql");
        // no part of any transaction
        execute("create sequence test_offset");
    }

    static TestDatabase on(DatabaseServer server, Isolation isolation) {
        return shared("PostgreSQL " + server + isolation, () -> {
            String url = server == DatabaseServer.BUNDLED
                    ? Bundled.URL
                    : DatabaseServer.installedUrl(
                            "IDEMPOTENCY_TEST_POSTGRES_URL", "jdbc:postgresql://127.0.0.1:5432/test");
            String schema = freshName();
            onServer(url, USER, "create schema " + schema);
            return new PostgresDatabase(url, schema, isolation);
        });
    }

    @Override
    JdbcDialect dialect() {
        return new JdbcDialect(connection ->
                new PostgresDialect("(" + PostgresDialect.NOW + " + (select last_value from test_offset))"));
    }

    @Override
    public void pass(Duration time) {
        offset += time.toMillis();
        execute("select setval('test_offset', " + offset + ")");
    }

    @Override
    void close() {
        super.close();
        onServer(serverUrl, USER, "drop schema " + schema + " cascade");
    }

    /** Runs as long as the JVM, once somebody asks for it; it ends with the JVM by itself. */
    private static final class Bundled {

        static final String URL = start();

        private static String start() {
            try {
                return EmbeddedPostgres.builder().start().getJdbcUrl(USER, "postgres");
            } catch (IOException ex) {
                throw new UncheckedIOException("PostgreSQL did not start", ex);
            }
        }
    }
}
