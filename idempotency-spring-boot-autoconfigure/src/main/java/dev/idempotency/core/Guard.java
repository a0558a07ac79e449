package dev.idempotency.core;

import dev.idempotency.Execution;

/** How one mode guards a call. */
interface Guard {

    /**
     * Runs the call or skips it.
     *
     * @throws dev.idempotency.MessageDeferredException if it must be decided later
     * @throws Throwable what the work threw
     */
    <T> Execution<T> execute(GuardedCall<T> call) throws Throwable;
}
