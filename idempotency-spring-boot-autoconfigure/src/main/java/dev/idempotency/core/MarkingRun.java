package dev.idempotency.core;

import dev.idempotency.Outcome;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A run that was admitted, until it is marked or given up: when its work has ended and, if it takes part in a
 * transaction, that one too, in whatever order and on whatever threads.
 */
final class MarkingRun implements AsyncWork.Run, Transactions.Handling {

    private final StoreContext context;
    private final GuardedCall<?> call;
    private final Ticket ticket;
    private final boolean guarded;
    private final MarkWriter marks;
    private final AtomicBoolean workEnded = new AtomicBoolean();
    private final AtomicInteger unknown;
    private volatile boolean committed = true;
    private volatile boolean succeeded;

    /**
     * Creates a run.
     *
     * @param guarded false if the store did not answer, so that the call runs unguarded
     */
    MarkingRun(
            StoreContext context,
            MarkWriter marks,
            GuardedCall<?> call,
            Ticket ticket,
            boolean guarded,
            boolean inTransaction) {
        this.context = context;
        this.call = call;
        this.ticket = ticket;
        this.guarded = guarded;
        this.marks = marks;
        this.unknown = new AtomicInteger(inTransaction ? 2 : 1);
    }

    void start() {
        if (guarded) {
            ticket.admitted();
        }
    }

    @Override
    public void succeeded() {
        if (workEnded.compareAndSet(false, true)) {
            succeeded = true;
            endIfKnown();
        }
    }

    @Override
    public void failed(Throwable failure) {
        if (workEnded.compareAndSet(false, true)) {
            Throwable alsoThrown = giveUp();
            if (alsoThrown != null && alsoThrown != failure) {
                failure.addSuppressed(alsoThrown);
            }
            count(Outcome.FAILED);
        }
    }

    // Copies do not share the fate of work that may still fail.
    @Override
    public boolean hasHandled(Object subject) {
        return succeeded && call.subject().equals(subject);
    }

    @Override
    public void transactionEnded(boolean hasCommitted) {
        committed = hasCommitted;
        endIfKnown();
    }

    private void endIfKnown() {
        if (unknown.decrementAndGet() > 0) {
            return;
        }
        if (committed) {
            mark();
        } else {
            rolledBack();
        }
    }

    private void mark() {
        Outcome outcome = guarded ? marks.write(call.key(), ticket::mark) : marks.tryOnce(call.key(), ticket::mark);
        if (outcome == Outcome.UNMARKED) {
            ticket.unmarked();
        } else {
            ticket.marked();
        }
        count(outcome);
    }

    private void rolledBack() {
        Throwable thrown = giveUp();
        if (thrown != null) {
            context.warnings()
                    .warn(
                            call.key().consumer(),
                            "Claim could not be released for consumer " + call.key()
                                    + " after its transaction did not commit. Copies wait until its lease ends.",
                            thrown);
        }
        count(Outcome.FAILED);
    }

    private void count(Outcome outcome) {
        call.count(guarded ? outcome : Outcome.UNGUARDED);
    }

    /** Returns what the store threw, if it did: the handler's failure always wins. */
    private @Nullable Throwable giveUp() {
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
