package dev.idempotency;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A store that can record a message in the same transaction as the handler's own work, so that the mark and the effect
 * cannot part: both are there after the commit, or neither is.
 *
 * @since 0.1
 */
public interface TransactionalIdempotencyStore extends IdempotencyStore {

    /**
     * Runs the work in a transaction on this store's resource: joins the one that is open on this thread, or begins
     * one; commits on return, rolls back on any throwable, which reaches the caller as the same instance.
     *
     * @param settings isolation and timeout of a transaction that is begun; ignored when joining
     * @param work the work
     * @return what the work returned
     * @throws Throwable what the work threw, or what begin and commit threw
     */
    <T> @Nullable T inTransaction(TransactionSettings settings, Work<T> work) throws Throwable;

    /**
     * Returns the key under which the owning transaction manager binds its resource, for JDBC the {@code DataSource}.
     * It decides whether a transaction that is open on a thread is one that a mark of this store can share.
     */
    Object transactionResource();

    /**
     * Records the message in the current transaction, to be called inside {@link #inTransaction} only. The statement is
     * executed and judged before this method returns.
     *
     * @param key the message
     * @return ACQUIRED if it was recorded here; SEEN if it has a live mark, one recorded earlier in the same
     *     transaction included; HELD if another open transaction or a live claim has it, or the database reported
     *     contention
     */
    Claim record(MessageKey key);

    /**
     * Records each of the messages in the current transaction, in an order that is the same for every caller, in one
     * round trip where the backend can.
     *
     * @param keys the messages
     * @return the answer for each message
     */
    default Map<MessageKey, Claim> recordAll(Collection<MessageKey> keys) {
        TreeSet<MessageKey> sorted =
                new TreeSet<>(Comparator.comparing(MessageKey::consumer).thenComparing(MessageKey::messageId));
        sorted.addAll(keys);
        Map<MessageKey, Claim> claims = new LinkedHashMap<>();
        for (MessageKey key : sorted) {
            claims.put(key, record(key));
        }
        return claims;
    }
}
