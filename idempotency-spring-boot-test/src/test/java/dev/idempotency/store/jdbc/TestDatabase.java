package dev.idempotency.store.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.idempotency.test.TestTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * A place of the tests' own in a real database, with the table of the store in it, whose time can be moved forward. It
 * lives as long as the JVM: tests have namespaces of their own.
 */
abstract class TestDatabase implements TestTime {

    // a statement of a test takes no longer
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private static final Map<String, TestDatabase> SHARED = new ConcurrentHashMap<>();

    private final HikariDataSource pool;

    /** Returns the database of that name, which is made when it is first asked for. */
    static TestDatabase shared(String name, Supplier<TestDatabase> made) {
        return SHARED.computeIfAbsent(name, first -> {
            TestDatabase database = made.get();
            Runtime.getRuntime().addShutdownHook(new Thread(database::close));
            return database;
        });
    }

    TestDatabase(String url, String user, Isolation isolation) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword("");
        config.setTransactionIsolation(isolation.name());
        // Eight threads and an open transaction, and a server that is shared with others.
        config.setMaximumPoolSize(10);
        config.setMinimumIdle(0);
        config.setIdleTimeout(10_000);
        pool = new HikariDataSource(config);
    }

    /** With what transactions run that nobody has set another isolation for. */
    enum Isolation {
        TRANSACTION_READ_COMMITTED,
        TRANSACTION_REPEATABLE_READ,
        TRANSACTION_SERIALIZABLE
    }

    static String freshName() {
        return "idempotency_test_" + UUID.randomUUID().toString().replace("-", "");
    }

    /** Runs a statement on a connection of its own, or skips the test if no such server answers. */
    static void onServer(String url, String user, String sql) {
        try (Connection connection = DriverManager.getConnection(url, user, "")) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        } catch (SQLException ex) {
            Assumptions.assumeFalse(isUnreachable(ex), "No server answers at " + url);
            throw new IllegalStateException(ex);
        }
    }

    private static boolean isUnreachable(SQLException failure) {
        return String.valueOf(failure.getSQLState()).startsWith("08");
    }

    final void createTable(String platform) {
        new ResourceDatabasePopulator(new ClassPathResource("dev/idempotency/store/jdbc/schema-" + platform + ".sql"))
                .execute(pool);
    }

    /** What the store is made with, and the handlers' own work. */
    DataSource dataSource() {
        return pool;
    }

    JdbcDialect dialect() {
        return JdbcDialect.detected();
    }

    final void execute(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        } catch (SQLException ex) {
            throw new IllegalStateException(ex);
        }
    }

    final JdbcIdempotencyStore store(String namespace, Duration retention) {
        return store(dataSource(), namespace, retention);
    }

    /** Returns a store on connections of that data source, which leads here. */
    final JdbcIdempotencyStore store(DataSource dataSource, String namespace, Duration retention) {
        return new JdbcIdempotencyStore(
                dataSource,
                new DataSourceTransactionManager(dataSource),
                JdbcIdempotencyStore.DEFAULT_TABLE,
                namespace,
                retention,
                dialect());
    }

    @Override
    public Duration moment() {
        return MOMENT;
    }

    void close() {
        pool.close();
    }
}
