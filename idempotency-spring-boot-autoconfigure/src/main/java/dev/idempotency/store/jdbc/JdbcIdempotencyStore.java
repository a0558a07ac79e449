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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
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

    private static final Comparator<MessageKey> ORDER =
            Comparator.comparing(MessageKey::consumer).thenComparing(MessageKey::messageId);

    // what is much longer would be no number to a database
    private static final Duration LONGEST = Duration.ofDays(1_000_000);

    private final Connections connections;
    private final StoreTransaction transaction;
    private final Steps steps;
    private final String namespace;
    private final long retention;

    /**
     * Creates a store on a table that exists.
     *
     * @param dataSource where the table is
     * @param manager the manager whose transactions are on that very {@code DataSource}
     * @param table the name of the table, as it stands in statements
     * @param namespace what sets this application apart from others on the same table, not blank
     * @param retention how long a mark lives, positive
     * @throws IllegalArgumentException if the namespace is blank or the retention is not positive
     */
    public JdbcIdempotencyStore(
            DataSource dataSource,
            PlatformTransactionManager manager,
            String table,
            String namespace,
            Duration retention) {
        this(dataSource, manager, table, namespace, retention, Dialects::byProduct);
    }

    JdbcIdempotencyStore(
            DataSource dataSource,
            PlatformTransactionManager manager,
            String table,
            String namespace,
            Duration retention,
            Dialects dialects) {
        if (namespace.isBlank()) {
            throw new IllegalArgumentException("'namespace' must not be blank");
        }
        this.connections = new Connections(Objects.requireNonNull(dataSource, "'dataSource' must not be null"));
        this.transaction =
                new StoreTransaction(Objects.requireNonNull(manager, "'manager' must not be null"), connections);
        this.steps = new Steps(connections, dialects, Objects.requireNonNull(table, "'table' must not be null"));
        this.namespace = namespace;
        this.retention = millis(retention, "retention");
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
        RowKey row = row(key);
        return steps.once("record", Claim.HELD, (messages, connection) -> messages.record(connection, row, retention));
    }

    /** Records in the order of the keys. If the transaction is lost in the midst of them, all are held. */
    @Override
    public Map<MessageKey, Claim> recordAll(Collection<MessageKey> keys) {
        transaction.requireBound();
        Map<MessageKey, Claim> lost = new LinkedHashMap<>();
        keys.stream().sorted(ORDER).forEach(key -> lost.put(key, Claim.HELD));
        return steps.once("record", lost, (messages, connection) -> {
            Map<MessageKey, Claim> claims = new LinkedHashMap<>();
            for (MessageKey key : lost.keySet()) {
                claims.put(key, messages.record(connection, row(key), retention));
            }
            return claims;
        });
    }

    @Override
    public boolean seen(MessageKey key) {
        RowKey row = row(key);
        return steps.untilDone("seen", (messages, connection) -> {
            RowState state = messages.find(connection, row);
            return state != null && state.seen();
        });
    }

    @Override
    public boolean remember(MessageKey key) {
        RowKey row = row(key);
        return steps.untilDone("remember", (messages, connection) -> messages.remember(connection, row, retention));
    }

    @Override
    public void forget(MessageKey key) {
        RowKey row = row(key);
        steps.untilDone("forget", (messages, connection) -> {
            int changed = messages.unmark(connection, row);
            return isDone(changed == 0 ? messages.deleteMark(connection, row) : changed);
        });
    }

    @Override
    public MessageState state(MessageKey key) {
        RowKey row = row(key);
        return steps.untilDone("state", (messages, connection) -> {
            RowState state = messages.find(connection, row);
            if (state == null) {
                return MessageState.unknown();
            }
            if (state.seen()) {
                return MessageState.seen(null);
            }
            return state.owner() != null ? MessageState.inFlight(null) : MessageState.unknown();
        });
    }

    @Override
    public Claim claim(MessageKey key, String owner, Duration lease) {
        RowKey row = row(key);
        long millis = millis(lease, "lease");
        return steps.once(
                "claim", Claim.HELD, (messages, connection) -> messages.claim(connection, row, owner, millis));
    }

    @Override
    public boolean renew(MessageKey key, String owner, Duration lease) {
        RowKey row = row(key);
        long millis = millis(lease, "lease");
        return steps.untilDone("renew", (messages, connection) -> {
            int changed = messages.renew(connection, row, owner, millis);
            return changed == Dialect.BUSY ? null : changed == 1;
        });
    }

    @Override
    public boolean complete(MessageKey key, String owner) {
        RowKey row = row(key);
        boolean completed = steps.untilDone("complete", (messages, connection) -> {
            int changed = messages.complete(connection, row, owner, retention);
            return changed == Dialect.BUSY ? null : changed == 1;
        });
        if (!completed) {
            steps.untilDone("complete", (messages, connection) -> isDone(messages.dropClaim(connection, row, owner)));
            remember(key);
        }
        return completed;
    }

    @Override
    public void release(MessageKey key, String owner) {
        RowKey row = row(key);
        steps.untilDone("release", (messages, connection) -> {
            int changed = messages.deleteClaim(connection, row, owner);
            return isDone(changed == 0 ? messages.dropClaim(connection, row, owner) : changed);
        });
    }

    private static @Nullable Boolean isDone(int changed) {
        return changed == Dialect.BUSY ? null : true;
    }

    private RowKey row(MessageKey key) {
        return new RowKey(namespace, key.consumer(), key.storedId());
    }

    // rounded up, so that no time is none
    private static long millis(Duration time, String name) {
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException("'" + name + "' must be positive: " + time);
        }
        Duration bounded = time.compareTo(LONGEST) < 0 ? time : LONGEST;
        return bounded.plusNanos(999_999).toMillis();
    }
}
