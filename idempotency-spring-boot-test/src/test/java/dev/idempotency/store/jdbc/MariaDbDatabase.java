package dev.idempotency.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A database of its own in an installed MariaDB. */
final class MariaDbDatabase extends TestDatabase {

    private static final String URL = "jdbc:mariadb://127.0.0.1:3306/";
    private static final String USER = "root";

    private final String name;
    private final DataSource moved;
    private volatile long offset;

    private MariaDbDatabase(String name, Isolation isolation) {
        super(URL + name, USER, isolation);
        this.name = name;
        this.moved = new Moved(super.dataSource());
        createTable("mariadb");
    }

    static TestDatabase installed(Isolation isolation) {
        return shared("installed MariaDB " + isolation, () -> {
            String name = freshName();
            onServer(URL, USER, "create database " + name);
            return new MariaDbDatabase(name, isolation);
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
        onServer(URL, USER, "drop database " + name);
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
}
