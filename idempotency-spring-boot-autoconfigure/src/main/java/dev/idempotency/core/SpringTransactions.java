package dev.idempotency.core;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Transactions that Spring synchronises: DataSource, JPA, JTA. */
final class SpringTransactions implements Transactions {

    private static final List<String> BROKER_PACKAGES = List.of(
            "org.springframework.jms.",
            "org.springframework.amqp.",
            "org.springframework.kafka.",
            "org.springframework.pulsar.");

    @Override
    public @Nullable Enclosing current() {
        return isActive() && !isBrokersOwn() ? enclosing() : null;
    }

    @Override
    public boolean isOpenOn(Object resource) {
        return isActive() && TransactionSynchronizationManager.hasResource(resource);
    }

    private static boolean isActive() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive();
    }

    private static Enclosing enclosing() {
        for (TransactionSynchronization synchronization : TransactionSynchronizationManager.getSynchronizations()) {
            if (synchronization instanceof Ends ends) {
                return ends;
            }
        }
        Ends ends = new Ends();
        TransactionSynchronizationManager.registerSynchronization(ends);
        return ends;
    }

    /**
     * A transaction that a broker's transaction manager began has that broker's holder and no other bound to it. A
     * holder that merely takes part in a transaction of somebody else (JTA) came with a synchronization of its own. In
     * doubt it is a resource transaction: waiting for its end never loses a message.
     */
    private static boolean isBrokersOwn() {
        boolean brokers = false;
        for (Object value : TransactionSynchronizationManager.getResourceMap().values()) {
            if (value instanceof ResourceHolderSupport holder && holder.isSynchronizedWithTransaction()) {
                if (!isOfBroker(holder)) {
                    return false;
                }
                brokers = true;
            }
        }
        return brokers
                && TransactionSynchronizationManager.getSynchronizations().stream()
                        .noneMatch(SpringTransactions::isOfBroker);
    }

    private static boolean isOfBroker(Object object) {
        String name = object.getClass().getName();
        return BROKER_PACKAGES.stream().anyMatch(name::startsWith);
    }

    /** The ends of handlings that wait for one transaction. Confined to its thread. */
    private static final class Ends implements TransactionSynchronization, Enclosing {

        private final List<Handling> waiting = new ArrayList<>();
        private final IdentityHashMap<Object, Integer> savepoints = new IdentityHashMap<>();

        @Override
        public boolean shares(Object subject) {
            return waiting.stream().anyMatch(handling -> handling.hasHandled(subject));
        }

        @Override
        public void onEnd(Handling handling) {
            waiting.add(handling);
        }

        @Override
        public void savepoint(Object savepoint) {
            savepoints.put(savepoint, waiting.size());
        }

        @Override
        public void savepointRollback(Object savepoint) {
            // A savepoint that is not known was set before anything was handled here.
            int kept = savepoints.getOrDefault(savepoint, 0);
            end(kept, false);
        }

        @Override
        public void afterCompletion(int status) {
            end(0, status == STATUS_COMMITTED);
        }

        private void end(int from, boolean committed) {
            List<Handling> ended = waiting.subList(Math.min(from, waiting.size()), waiting.size());
            List<Handling> copy = List.copyOf(ended);
            ended.clear();
            copy.forEach(handling -> handling.transactionEnded(committed));
        }
    }
}
