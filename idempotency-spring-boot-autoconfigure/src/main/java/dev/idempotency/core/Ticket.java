package dev.idempotency.core;

import dev.idempotency.Claim;

/** What one call asks of a store that marks after success: made for the call, used by it alone. */
interface Ticket {

    /** Asks whether the call may run. */
    Claim ask();

    /** The handler is about to run. */
    void admitted();

    /** Marks the message; false if another claimed or marked it meanwhile. */
    boolean mark();

    /** The message is marked: nothing is kept for it any longer. */
    void marked();

    /** The mark could not be written: keep what can be kept, so that no copy runs meanwhile. */
    void unmarked();

    /** The handler did not succeed: let the next one run. */
    void giveUp();

    /** The store did not answer, and the call will not run: what it may hold for it all the same is to be given up. */
    void unanswered();
}
