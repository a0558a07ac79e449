package dev.idempotency.core;

import dev.idempotency.Claim;
import dev.idempotency.Execution;
import dev.idempotency.MessageKey;
import dev.idempotency.StoreUnavailableException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * AFTER_SUCCESS and CLAIM: only a success is marked, and only once the transaction that was open when the call began,
 * if there was one, has committed.
 */
final class MarkingGuard implements Guard {

    private final StoreContext context;
    private final Admission admission;
    private final AsyncResults results;
    private final MarkWriter marks;
    private final Function<MessageKey, Ticket> tickets;

    MarkingGuard(
            StoreContext context, Admission admission, AsyncResults results, Function<MessageKey, Ticket> tickets) {
        this.context = context;
        this.admission = admission;
        this.results = results;
        this.marks = new MarkWriter(context);
        this.tickets = tickets;
    }

    @Override
    public <T> Execution<T> execute(GuardedCall<T> call) throws Throwable {
        Transactions.Enclosing transaction = context.transactions().current();
        if (transaction != null && transaction.shares(call.subject())) {
            return call.skipped();
        }
        MarkingRun run = admit(call, transaction != null, transaction != null);
        if (run == null) {
            return call.skipped();
        }
        T value;
        T handedOut;
        try {
            run.start();
            value = call.run();
            handedOut = observed(value, call, run);
        } catch (Throwable failure) {
            run.failed(failure);
            throw failure;
        }
        if (transaction != null) {
            transaction.onEnd(run);
        }
        if (handedOut != null) {
            return call.ran(handedOut);
        }
        run.succeeded();
        return call.ran(value);
    }

    /** Returns the run that may begin; null if the message has been handled. */
    private @Nullable MarkingRun admit(GuardedCall<?> call, boolean withoutWait, boolean inTransaction) {
        Ticket ticket = tickets.apply(call.key());
        Claim claim;
        try {
            claim = admission.decide(call, ticket::ask, withoutWait);
        } catch (StoreUnavailableException later) {
            ticket.unanswered();
            throw later;
        }
        return claim == Claim.SEEN ? null : new MarkingRun(context, marks, call, ticket, claim != null, inTransaction);
    }

    @SuppressWarnings("unchecked")
    private <T> @Nullable T observed(@Nullable T value, GuardedCall<T> call, MarkingRun run) {
        return value == null ? null : (T) results.observe(value, new Runs(call, run));
    }

    /** The runs of one asynchronous call: the first is the one that was admitted with it. */
    private final class Runs implements AsyncWork {

        private final GuardedCall<?> call;
        private final AtomicReference<@Nullable MarkingRun> admitted;

        Runs(GuardedCall<?> call, MarkingRun admitted) {
            this.call = call;
            this.admitted = new AtomicReference<>(admitted);
        }

        @Override
        public @Nullable Run begin() {
            MarkingRun first = admitted.getAndSet(null);
            return first != null ? first : next(call.again());
        }

        @Override
        public Executor executor() {
            return context.completions();
        }

        private @Nullable Run next(GuardedCall<?> again) {
            MarkingRun run = admit(again, true, false);
            if (run == null) {
                again.skipped();
            } else {
                run.start();
            }
            return run;
        }
    }
}
