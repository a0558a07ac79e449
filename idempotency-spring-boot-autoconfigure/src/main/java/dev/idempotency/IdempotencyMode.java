package dev.idempotency;

/**
 * When a message id is marked as processed, and what happens to a copy that arrives meanwhile.
 *
 * @since 0.1
 */
public enum IdempotencyMode {

    /**
     * {@link #TRANSACTIONAL} if the store is a {@link TransactionalIdempotencyStore} and a transaction on the store's
     * resource is declared by the guarded method or open when it is called; else {@link #CLAIM} if the store is a
     * {@link ClaimingIdempotencyStore}; else {@link #AFTER_SUCCESS}. Never opens a transaction that the application
     * did not ask for. The default.
     */
    AUTO,

    /**
     * Skips an id that was seen and marks it after success. Works with every store; copies that overlap both run.
     */
    AFTER_SUCCESS,

    /**
     * Claims the id for a renewed lease while the handler runs. A copy that arrives meanwhile waits, then goes back
     * to the broker. Needs a {@link ClaimingIdempotencyStore}.
     */
    CLAIM,

    /**
     * Records the id in one transaction with the handler's own work, before the handler runs. Leaves no window for
     * effects written through that transaction. Needs a {@link TransactionalIdempotencyStore}.
     */
    TRANSACTIONAL
}
