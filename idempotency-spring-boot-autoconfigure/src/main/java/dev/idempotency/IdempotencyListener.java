package dev.idempotency;

/**
 * Observes guarded calls. Every method does nothing by default.
 *
 * <p><strong>Exception safety.</strong> Whatever a listener throws is logged and goes no further; it never touches the
 * handling of a message. Listeners are called on the thread that handles the message or renews its lease, so they must
 * be quick and safe for use by many threads.
 *
 * @since 0.1
 */
public interface IdempotencyListener {

    /**
     * Called once for each guarded consumer that is known at start-up, before its first message.
     *
     * @param consumer the name of the consumer
     */
    default void onConsumer(String consumer) {}

    /**
     * Called exactly once for each guarded call, when its outcome is known: after the transaction that it takes part
     * in, if there is one.
     *
     * @param outcome the outcome
     */
    default void onOutcome(MessageOutcome outcome) {}

    /**
     * Called after each call of a store by the guard, whether it succeeded or not.
     *
     * @param operation the operation
     */
    default void onStoreOperation(StoreOperation operation) {}
}
