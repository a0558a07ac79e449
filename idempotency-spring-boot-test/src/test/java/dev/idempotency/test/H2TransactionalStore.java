package dev.idempotency.test;

import dev.idempotency.Claim;
import dev.idempotency.MessageKey;
import dev.idempotency.TransactionSettings;
import dev.idempotency.TransactionalIdempotencyStore;
import dev.idempotency.Work;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A store that can do nothing but transactions, as small as it may be. The database must have a short LOCK_TIMEOUT. */
public final class H2TransactionalStore implements TransactionalIdempotencyStore {

    static final String TABLE = """
            create table if not exists message (namespace varchar(255), consumer varchar(500), id varchar(255),
            until bigint not null, primary key (namespace, consumer, id))""";

    private static final String UNIQUE_VIOLATION = "23505";
    // Lock time-out, concurrent update, deadlock.
    private static final Set<String> CONTENTION = Set.of("HYT00", "90131", "40001");

    private final DataSource dataSource;
    private final PlatformTransactionManager manager;
    private final JdbcTemplate jdbc;
    private final String namespace;
    private final Duration retention;
    private final InstantSource clock;

    public H2TransactionalStore(DataSource dataSource, String namespace, Duration retention, InstantSource clock) {
        if (retention.isZero() || retention.isNegative()) {
            throw new IllegalArgumentException("'retention' must be positive: " + retention);
        }
        this.dataSource = dataSource;
        this.manager = new DataSourceTransactionManager(dataSource);
        this.jdbc = new JdbcTemplate(dataSource);
        this.namespace = namespace;
        this.retention = retention;
        this.clock = clock;
        jdbc.execute(TABLE);
    }

    @Override
    public <T> @Nullable T inTransaction(TransactionSettings settings, Work<T> work) throws Throwable {
        TransactionStatus status = manager.getTransaction(definition(settings));
        T value;
        try {
            value = work.run();
        } catch (Throwable ex) {
            manager.rollback(status);
            throw ex;
        }
        manager.commit(status);
        return value;
    }

    @Override
    public Object transactionResource() {
        return dataSource;
    }

    @Override
    public Claim record(MessageKey key) {
        if (!TransactionSynchronizationManager.hasResource(dataSource)) {
            throw new IllegalStateException("No transaction is open on the DataSource of the store");
        }
        try {
            return mark(key) ? Claim.ACQUIRED : Claim.SEEN;
        } catch (DataAccessException ex) {
            if (CONTENTION.contains(sqlState(ex))) {
                return Claim.HELD;
            }
            throw ex;
        }
    }

    @Override
    public boolean remember(MessageKey key) {
        while (true) {
            try {
                return mark(key);
            } catch (DataAccessException ex) {
                if (!CONTENTION.contains(sqlState(ex)) || TransactionSynchronizationManager.hasResource(dataSource)) {
                    throw ex;
                }
            }
        }
    }

    @Override
    public boolean seen(MessageKey key) {
        return !jdbc.queryForList(
                        "select until from message where namespace = ? and consumer = ? and id = ? and until > ?",
                        namespace,
                        key.consumer(),
                        key.storedId(),
                        now())
                .isEmpty();
    }

    @Override
    public void forget(MessageKey key) {
        jdbc.update(
                "delete from message where namespace = ? and consumer = ? and id = ?",
                namespace,
                key.consumer(),
                key.storedId());
    }

    private boolean mark(MessageKey key) {
        try {
            jdbc.update("insert into message values (?, ?, ?, ?)", namespace, key.consumer(), key.storedId(), until());
            return true;
        } catch (DataAccessException ex) {
            if (!UNIQUE_VIOLATION.equals(sqlState(ex))) {
                throw ex;
            }
            return takeOverExpired(key);
        }
    }

    // Locked without waiting first: on H2 2.4.240 an update of a row that another transaction has updated waits past
    // LOCK_TIMEOUT, for as long as that transaction is open, if a statement has failed in it before.
    private boolean takeOverExpired(MessageKey key) {
        if (seen(key)) {
            return false;
        }
        String where = " where namespace = ? and consumer = ? and id = ? and until <= ?";
        Object[] expired = {namespace, key.consumer(), key.storedId(), now()};
        jdbc.queryForList("select until from message" + where + " for update nowait", expired);
        return jdbc.update("update message set until = " + until() + where, expired) == 1;
    }

    private long now() {
        return clock.instant().toEpochMilli();
    }

    private long until() {
        try {
            return Math.addExact(now(), Math.max(1, retention.toMillis()));
        } catch (ArithmeticException ex) {
            return Long.MAX_VALUE;
        }
    }

    private static TransactionDefinition definition(TransactionSettings settings) {
        DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
        if (settings.isolation() != null) {
            definition.setIsolationLevel(settings.isolation());
        }
        if (settings.timeout() != null) {
            definition.setTimeout((int) Math.max(1, settings.timeout().toSeconds()));
        }
        return definition;
    }

    private static String sqlState(DataAccessException ex) {
        Throwable cause = ex;
        while (cause != null && !(cause instanceof SQLException)) {
            cause = cause.getCause();
        }
        return cause instanceof SQLException sql ? String.valueOf(sql.getSQLState()) : "";
    }
}
