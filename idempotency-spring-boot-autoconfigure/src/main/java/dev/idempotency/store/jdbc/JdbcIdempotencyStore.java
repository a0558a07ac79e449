package dev.idempotency.store.jdbc;

import dev.idempotency.Claim;
import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.MessageKey;
import dev.idempotency.MessageState;
import dev.idempotency.TransactionSettings;
import dev.idempotency.TransactionalIdempotencyStore;
import dev.idempotency.Work;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * A store in a table of a database. A message is recorded in the transaction of the handler's own work, where that is on
 * the same {@code DataSource}: then mark and effect are both there after the commit, or neither is. Messages whose effect
 * is elsewhere can be claimed.
 *
 * <p><strong>Guarantee.</strong> Each verb is one atomic step, whatever isolation the connection has. Times are those of
 * the database's clock, in milliseconds. No statement waits longer than about a second for another transaction, and none
 * leaves a setting behind, on a connection or in a transaction. Losing a race is an answer: on PostgreSQL no statement
 * fails for it, so that the caller's transaction stays usable.
 *
 * <p>Inside a transaction that is open on the {@code DataSource}, a verb is part of it; else it is committed by itself.
 * Throws what Spring's JDBC support throws if the database does not answer. Safe for use by many threads.
 *
 * @since 0.1
 */
public final class JdbcIdempotencyStore implements TransactionalIdempotencyStore, ClaimingIdempotencyStore {

    /** The name of the table, if no other is given. */
    public static final String DEFAULT_TABLE = "idempotency_message";

    private final Connections connections;
    private final StoreTransaction transaction;
    private final Steps steps;
    private final Rows rows;
    private final Marks marks;
    private final Claims claims;

    /**
     * Creates a store on a table that exists.
     *
     * @param dataSource where the table is
     * @param manager the manager whose transactions are on that very {@code DataSource}
     * @param table the name of the table, as {@link TableName} says
     * @param namespace what sets this application apart from others on the same table, not blank
     * @param retention how long a mark lives, positive
     * @throws IllegalArgumentException if the table is none, the namespace is blank or the retention is not positive
     */
    public JdbcIdempotencyStore(
            DataSource dataSource,
            PlatformTransactionManager manager,
            String table,
            String namespace,
            Duration retention) {
        this(dataSource, manager, table, namespace, retention, JdbcDialect.detected());
    }

    /**
     * Creates a store on a table that exists.
     *
     * @param dataSource where the table is
     * @param manager the manager whose transactions are on that very {@code DataSource}
     * @param table the name of the table, as {@link TableName} says
     * @param namespace what sets this application apart from others on the same table, not blank
     * @param retention how long a mark lives, positive
     * @param dialect how the database is spoken to
     * @throws IllegalArgumentException if the table is none, the namespace is blank or the retention is not positive
     */
    public JdbcIdempotencyStore(
            DataSource dataSource,
            PlatformTransactionManager manager,
            String table,
            String namespace,
            Duration retention,
            JdbcDialect dialect) {
        this.rows = new Rows(namespace);
        this.connections = new Connections(Objects.requireNonNull(dataSource, "'dataSource' must not be null"));
        this.transaction =
                new StoreTransaction(Objects.requireNonNull(manager, "'manager' must not be null"), connections);
        this.steps = new Steps(
                connections,
                Objects.requireNonNull(dialect, "'dialect' must not be null"),
                TableName.of(table).toString());
        long millis = Rows.millis(retention, "retention");
        this.marks = new Marks(steps, rows, millis);
        this.claims = new Claims(steps, rows, marks, millis);
    }

    /**
     * Reads from the table, whatever is in it.
     *
     * @throws org.springframework.jdbc.BadSqlGrammarException if there is no such table with the columns that it needs
     * @throws org.springframework.dao.DataAccessException if the database does not answer
     */
    public void checkTable() {
        RowKey any = rows.of(MessageKey.of("any", "any"));
        steps.once("check", true, (messages, connection) -> {
            messages.find(connection, any);
            return true;
        });
    }

    /** Deletes up to so many expired rows, whoever's they are. */
    int deleteExpired(int limit) {
        return steps.aside("cleanup", (table, connection) -> table.deleteExpired(connection, limit));
    }

    /** Returns for how many milliseconds the oldest row has been expired; none or less if none is. */
    long oldestExpired() {
        return steps.aside("cleanup", (table, connection) -> table.oldestExpired(connection));
    }

    @Override
    public <T> @Nullable T inTransaction(TransactionSettings settings, Work<T> work) throws Throwable {
        return transaction.run(settings, work);
    }

    @Override
    public Object transactionResource() {
        return connections.dataSource();
    }

    @Override
    public Claim record(MessageKey key) {
        transaction.requireBound();
        return marks.record(key);
    }

    /** If the transaction is lost in the midst of them, all are held. */
    @Override
    public Map<MessageKey, Claim> recordAll(Collection<MessageKey> keys) {
        transaction.requireBound();
        return marks.recordAll(keys);
    }

    @Override
    public boolean seen(MessageKey key) {
        return marks.seen(key);
    }

    @Override
    public Set<MessageKey> seenAmong(Collection<MessageKey> keys) {
        return marks.seenAmong(keys);
    }

    @Override
    public boolean remember(MessageKey key) {
        return marks.remember(key);
    }

    @Override
    public Set<MessageKey> rememberAll(Collection<MessageKey> keys) {
        return marks.rememberAll(keys);
    }

    @Override
    public void forget(MessageKey key) {
        marks.forget(key);
    }

    @Override
    public MessageState state(MessageKey key) {
        return marks.state(key);
    }

    @Override
    public Claim claim(MessageKey key, String owner, Duration lease) {
        return claims.claim(key, owner, lease);
    }

    @Override
    public Map<MessageKey, Claim> claimAll(Collection<MessageKey> keys, String owner, Duration lease) {
        return claims.claimAll(keys, owner, lease);
    }

    @Override
    public boolean renew(MessageKey key, String owner, Duration lease) {
        return claims.renew(key, owner, lease);
    }

    @Override
    public boolean complete(MessageKey key, String owner) {
        return claims.complete(key, owner);
    }

    @Override
    public void release(MessageKey key, String owner) {
        claims.release(key, owner);
    }
}
