package dev.idempotency.core;

import dev.idempotency.Claim;
import dev.idempotency.Execution;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * AFTER_SUCCESS and CLAIM: only a success is marked, and only once the transaction that was open when the call began,
 * if there was one, has committed.
 */
final class MarkingGuard implements Guard {

    private final StoreContext context;
    private final Admission admission;
    private final MarkWriter marks;
    private final Function<MessageKey, Ticket> tickets;

    MarkingGuard(StoreContext context, Admission admission, Function<MessageKey, Ticket> tickets) {
        this.context = context;
        this.admission = admission;
        this.marks = new MarkWriter(context);
        this.tickets = tickets;
    }

    @Override
    public <T> Execution<T> execute(GuardedCall<T> call) throws Throwable {
        Transactions.Enclosing transaction = context.transactions().current();
        if (transaction != null && transaction.shares(call.subject())) {
            return call.skipped();
        }
        Ticket ticket = tickets.apply(call.key());
        Claim claim = admission.decide(call, ticket::ask, transaction != null);
        if (claim == Claim.SEEN) {
            return call.skipped();
        }
        boolean guarded = claim != null;
        T value = run(call, ticket, guarded);
        if (transaction == null) {
            succeeded(call, ticket, guarded);
        } else {
            transaction.onEnd(call.subject(), committed -> ended(call, ticket, guarded, committed));
        }
        return call.ran(value);
    }

    private <T> @Nullable T run(GuardedCall<T> call, Ticket ticket, boolean guarded) throws Throwable {
        try {
            if (guarded) {
                ticket.admitted();
            }
            return call.run();
        } catch (Throwable failure) {
            Throwable alsoThrown = giveUp(ticket);
            if (alsoThrown != null && alsoThrown != failure) {
                failure.addSuppressed(alsoThrown);
            }
            call.count(guarded ? Outcome.FAILED : Outcome.UNGUARDED);
            throw failure;
        }
    }

    private void ended(GuardedCall<?> call, Ticket ticket, boolean guarded, boolean committed) {
        if (committed) {
            succeeded(call, ticket, guarded);
        } else {
            Throwable thrown = giveUp(ticket);
            if (thrown != null) {
                context.warnings()
                        .warn(
                                call.key().consumer(),
                                "Claim could not be released for consumer " + call.key()
                                        + " after its transaction did not commit. Copies wait until its lease ends.",
                                thrown);
            }
            call.count(guarded ? Outcome.FAILED : Outcome.UNGUARDED);
        }
    }

    private void succeeded(GuardedCall<?> call, Ticket ticket, boolean guarded) {
        if (!guarded) {
            marks.tryOnce(call.key(), ticket::mark);
            call.count(Outcome.UNGUARDED);
            return;
        }
        Outcome outcome = marks.write(call.key(), ticket::mark);
        if (outcome == Outcome.UNMARKED) {
            ticket.unmarked();
        } else {
            ticket.marked();
        }
        call.count(outcome);
    }

    /** Returns what the store threw, if it did: the handler's failure always wins. */
    private static @Nullable Throwable giveUp(Ticket ticket) {
        return Interrupts.shielded(() -> {
            try {
                ticket.giveUp();
                return null;
            } catch (Throwable ex) {
                return ex;
            }
        });
    }
}
