package dev.idempotency.core;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Guarded work behind a value that is returned before it is done. Its message stays claimed, and the claim renewed up
 * to the lease limit, until its run has ended.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1
 */
public interface AsyncWork {

    /**
     * Begins a run. The first one was admitted before the value was returned. Each further one, as of a publisher that
     * is subscribed to again, is another guarded call: the store is asked anew, without waiting for a copy in flight.
     *
     * @return the run; null if the message has been handled meanwhile, so that the result must end empty
     * @throws dev.idempotency.MessageDeferredException if it must be decided later
     */
    @Nullable
    Run begin();

    /**
     * Returns the threads on which the end of a run is told. They may block, and there are as many as there are ends to
     * tell: whoever waits for another end never keeps it from being told, which the threads of a bounded pool would.
     */
    Executor executor();

    /** One run of the work. Only what is told first counts. What the store or a listener throws is dealt with here. */
    interface Run {

        /** The work has ended normally. Marks the message, which may take the time of a call of the store. */
        void succeeded();

        /**
         * The work has failed or was cancelled. Leaves no mark and lets the next delivery run.
         *
         * @param failure why
         */
        void failed(Throwable failure);
    }
}
