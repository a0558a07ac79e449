package dev.idempotency.store.jdbc;

import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** H2 in memory. */
public final class H2Database extends TestDatabase {

    // of all databases of this JVM: it only grows
    private static final AtomicLong OFFSET = new AtomicLong();

    private H2Database(Mode mode, Isolation isolation) {
        super("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1" + mode.url, "sa", isolation);
        createTable("h2");
        execute("create alias test_offset for \"" + H2Database.class.getName() + ".offset\"");
    }

    static TestDatabase inMode(Mode mode, Isolation isolation) {
        return shared("h2 " + mode + isolation, () -> new H2Database(mode, isolation));
    }

    static Stream<Arguments> all() {
        return Arrays.stream(Mode.values())
                .flatMap(mode -> Arrays.stream(Isolation.values()).map(isolation -> Arguments.of(mode, isolation)));
    }

    /** Which other database it behaves like. */
    enum Mode {
        REGULAR(""),
        POSTGRESQL(";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH"),
        MYSQL(";MODE=MySQL;DATABASE_TO_LOWER=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE"),
        ORACLE(";MODE=Oracle;DEFAULT_NULL_ORDERING=HIGH");

        private final String url;

        Mode(String url) {
            this.url = url;
        }
    }

    /** Called by the database. */
    public static long offset() {
        return OFFSET.get();
    }

    @Override
    JdbcDialect dialect() {
        return new JdbcDialect(connection -> new H2Dialect("(" + H2Dialect.NOW + " + test_offset())"));
    }

    @Override
    public void pass(Duration time) {
        OFFSET.addAndGet(time.toMillis());
    }
}
