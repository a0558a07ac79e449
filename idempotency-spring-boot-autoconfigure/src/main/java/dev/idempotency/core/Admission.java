package dev.idempotency.core;

import dev.idempotency.Claim;
import dev.idempotency.Delivery;
import dev.idempotency.MessageInFlightException;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.StoreFailurePolicy;
import dev.idempotency.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/** Asks the store whether a call may run, until it is decided or time is up. */
final class Admission {

    private final StoreContext context;
    private final Settings settings;

    Admission(StoreContext context, Settings settings) {
        this.context = context;
        this.settings = settings;
    }

    /**
     * Asks until the answer is ACQUIRED or SEEN.
     *
     * @param question one attempt; what it throws means that the store did not answer
     * @param inTransaction true if waiting would hold the caller's transaction, so that HELD is later at once
     * @return the decision; null if the store did not answer and the call is to run unguarded
     * @throws dev.idempotency.MessageDeferredException if it must be decided later
     */
    @Nullable
    Claim decide(GuardedCall<?> call, Question question, boolean inTransaction) {
        boolean holdsClaims = InWork.isBusy();
        Waiting waiting = new Waiting(Delivery.current(), settings.inFlightWait(), context.shutdown());
        while (true) {
            Throwable failure = null;
            Claim claim = Claim.HELD;
            try {
                claim = question.ask();
            } catch (Throwable ex) {
                failure = ex;
                warn(call.key(), ex);
                if (settings.onStoreFailure() == StoreFailurePolicy.PROCESS) {
                    return null;
                }
            }
            if (failure == null && claim != Claim.HELD) {
                return claim;
            }
            // Two calls that each hold a claim would wait for each other.
            if (holdsClaims || !worthWaiting(waiting, failure == null && !inTransaction) || !waiting.pause()) {
                throw later(call, failure);
            }
        }
    }

    /** A store that is out may cost its time-out with each question; but without a way back, the message is lost. */
    private static boolean worthWaiting(Waiting waiting, boolean holdsNothing) {
        return holdsNothing || !waiting.canReturn();
    }

    private RuntimeException later(GuardedCall<?> call, @Nullable Throwable failure) {
        if (failure == null) {
            call.count(Outcome.IN_FLIGHT);
            return new MessageInFlightException("Message is in flight for consumer " + call.key()
                    + ". Another call is handling it and may still fail. It must be delivered again later.");
        }
        call.count(Outcome.DEFERRED);
        return new StoreUnavailableException(
                "Store '" + context.calls().store() + "' did not answer for consumer " + call.key()
                        + ". Whether the message was handled before is not known. It must be delivered again later.",
                failure);
    }

    private void warn(MessageKey key, Throwable failure) {
        String fate = settings.onStoreFailure() == StoreFailurePolicy.PROCESS
                ? "The message is handled unguarded"
                : "The message is not handled now";
        context.warnings()
                .warn(
                        key.consumer(),
                        "Store '" + context.calls().store() + "' did not answer for consumer " + key + ". " + fate
                                + ", as 'on-store-failure' says. Check the store.",
                        failure);
    }

    /** One attempt to have a call admitted. */
    @FunctionalInterface
    interface Question {

        /** Returns the store's answer; throws, errors included, if it did not give one. */
        Claim ask() throws Throwable;
    }
}
