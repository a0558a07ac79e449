package dev.idempotency.core;

import dev.idempotency.Claim;
import dev.idempotency.Execution;
import dev.idempotency.Outcome;
import dev.idempotency.TransactionSettings;
import dev.idempotency.TransactionalIdempotencyStore;
import org.jspecify.annotations.Nullable;

/**
 * TRANSACTIONAL: the message is recorded first, in the transaction that the handler's own work joins, so that both are
 * committed together or neither is.
 */
final class TransactionalGuard implements Guard {

    private final TransactionalIdempotencyStore store;
    private final StoreContext context;
    private final Admission admission;
    private final MarkWriter marks;
    private final TransactionSettings settings;
    private final AsyncResults results;

    TransactionalGuard(
            TransactionalIdempotencyStore store,
            StoreContext context,
            Admission admission,
            TransactionSettings settings,
            AsyncResults results) {
        this.store = store;
        this.context = context;
        this.admission = admission;
        this.marks = new MarkWriter(context);
        this.settings = settings;
        this.results = results;
    }

    /** Returns whether a transaction is open that this guard's mark can and must share. */
    boolean isJoining() {
        return context.transactions().isOpenOn(store.transactionResource());
    }

    @Override
    public <T> Execution<T> execute(GuardedCall<T> call) throws Throwable {
        Run<T> run = new Run<>(call);
        // Waiting happens between attempts, with no transaction open; inside the caller's there is no such moment.
        Claim claim = admission.decide(call, run::attempt, isJoining());
        if (claim == Claim.SEEN) {
            return call.skipped();
        }
        if (claim == null) {
            return unguarded(call);
        }
        if (run.failure != null) {
            call.count(Outcome.FAILED);
            throw run.failure;
        }
        if (!run.countsAtEnd) {
            call.count(Outcome.PROCESSED);
        }
        return call.ran(run.value);
    }

    private <T> Execution<T> unguarded(GuardedCall<T> call) throws Throwable {
        Transactions.Enclosing transaction = context.transactions().current();
        try {
            T value = finished(call.run());
            if (transaction == null) {
                remember(call);
            } else {
                transaction.onEnd(committed -> {
                    if (committed) {
                        remember(call);
                    }
                });
            }
            return new Execution<>(Outcome.UNGUARDED, value);
        } finally {
            call.count(Outcome.UNGUARDED);
        }
    }

    /** The transaction may commit after the return: what is not done by then could still fail. */
    @SuppressWarnings("unchecked")
    private <T> @Nullable T finished(@Nullable T value) throws Throwable {
        if (value == null) {
            return null;
        }
        UnawaitedRun run = new UnawaitedRun();
        Object handedOut = results.observe(value, run);
        return handedOut == null ? value : (T) run.ended(handedOut);
    }

    private void remember(GuardedCall<?> call) {
        marks.tryOnce(call.key(), () -> context.calls().remember(store, call.key()));
    }

    /** One call, through as many attempts as its admission takes. */
    private final class Run<T> {

        private final GuardedCall<T> call;
        private @Nullable T value;
        private @Nullable Throwable failure;
        private boolean countsAtEnd;
        private Claim claim = Claim.HELD;

        Run(GuardedCall<T> call) {
            this.call = call;
        }

        /** What fails before the handler is called is the store's failure; what fails later is the handler's. */
        Claim attempt() throws Throwable {
            claim = Claim.HELD;
            try {
                value = store.inTransaction(settings, this::recordThenRun);
            } catch (Throwable ex) {
                if (claim == Claim.ACQUIRED) {
                    failure = ex;
                } else {
                    throw ex;
                }
            }
            return claim;
        }

        private @Nullable T recordThenRun() throws Throwable {
            claim = context.calls().record(store, call.key());
            if (claim != Claim.ACQUIRED) {
                return null;
            }
            Transactions.Enclosing transaction = context.transactions().current();
            if (transaction == null) {
                return finished(call.run());
            }
            countsAtEnd = true;
            T result = finished(call.run());
            transaction.onEnd(committed -> call.count(committed ? Outcome.PROCESSED : Outcome.FAILED));
            return result;
        }
    }
}
