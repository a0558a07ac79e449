package dev.idempotency.store.jdbc;

import dev.idempotency.TransactionSettings;
import dev.idempotency.Work;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The transaction that a mark shares with the handler's work. */
final class StoreTransaction {

    private final PlatformTransactionManager manager;
    private final Connections connections;

    StoreTransaction(PlatformTransactionManager manager, Connections connections) {
        this.manager = manager;
        this.connections = connections;
    }

    <T> @Nullable T run(TransactionSettings settings, Work<T> work) throws Throwable {
        TransactionStatus status = manager.getTransaction(definition(settings));
        T value;
        try {
            requireBound();
            value = work.run();
        } catch (Throwable ex) {
            rollback(status, ex);
            throw ex;
        }
        manager.commit(status);
        return value;
    }

    private void rollback(TransactionStatus status, Throwable failure) {
        try {
            manager.rollback(status);
        } catch (RuntimeException ex) {
            // What failed first is what the caller has to know.
            failure.addSuppressed(ex);
        }
    }

    /** A manager of another data source, or of a wrapper of this one, would let the mark be committed by itself. */
    void requireBound() {
        if (!connections.areBound()) {
            throw new IllegalStateException(
                    "No transaction is open on the DataSource of the idempotency store. Its transaction manager must use"
                            + " that very DataSource, and not a wrapper of it.");
        }
        // Some databases would refuse the mark, and some would not: an application is not to depend on which.
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new IllegalStateException(
                    "The transaction that is open is read-only, and a message cannot be recorded in it. Guard the method"
                            + " that begins it, or let it not be read-only.");
        }
    }

    private static TransactionDefinition definition(TransactionSettings settings) {
        DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
        definition.setName("idempotency");
        if (settings.isolation() != null) {
            definition.setIsolationLevel(settings.isolation());
        }
        if (settings.timeout() != null) {
            definition.setTimeout((int) Math.max(1, settings.timeout().toSeconds()));
        }
        return definition;
    }
}
