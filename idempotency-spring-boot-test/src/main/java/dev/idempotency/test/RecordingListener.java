package dev.idempotency.test;

import dev.idempotency.IdempotencyListener;
import dev.idempotency.MessageOutcome;
import dev.idempotency.Outcome;
import dev.idempotency.StoreOperation;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A listener that keeps all it is told, in the order in which it was told.
 *
 * <p>Safe for use by many threads; the lists it returns are snapshots.
 *
 * @since 0.1
 */
public final class RecordingListener implements IdempotencyListener {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<String> consumers = new CopyOnWriteArrayList<>();
    private final List<MessageOutcome> outcomes = new CopyOnWriteArrayList<>();
    private final List<StoreOperation> operations = new CopyOnWriteArrayList<>();

    /** Creates a listener that has been told nothing. */
    public RecordingListener() {}

    @Override
    public void onConsumer(String consumer) {
        consumers.add(consumer);
    }

    @Override
    public void onOutcome(MessageOutcome outcome) {
        outcomes.add(outcome);
    }

    @Override
    public void onStoreOperation(StoreOperation operation) {
        operations.add(operation);
    }

    /** Returns the consumers that were announced. */
    public List<String> consumers() {
        return List.copyOf(consumers);
    }

    /** Returns all that was told of guarded calls. */
    public List<MessageOutcome> messageOutcomes() {
        return List.copyOf(outcomes);
    }

    /** Returns how all guarded calls ended. */
    public List<Outcome> outcomes() {
        return outcomes.stream().map(MessageOutcome::outcome).toList();
    }

    /**
     * Returns how the guarded calls of one consumer ended.
     *
     * @param consumer the name of the consumer
     */
    public List<Outcome> outcomes(String consumer) {
        return outcomes.stream()
                .filter(told -> told.consumer().equals(consumer))
                .map(MessageOutcome::outcome)
                .toList();
    }

    /**
     * Returns how the guarded calls of one consumer for one message ended.
     *
     * @param consumer the name of the consumer
     * @param messageId the message id, verbatim; null for messages that have no usable one
     */
    public List<Outcome> outcomes(String consumer, @Nullable String messageId) {
        return outcomes.stream()
                .filter(told -> told.consumer().equals(consumer) && Objects.equals(told.messageId(), messageId))
                .map(MessageOutcome::outcome)
                .toList();
    }

    /** Returns all calls of stores. */
    public List<StoreOperation> operations() {
        return List.copyOf(operations);
    }

    /**
     * Returns the results of all calls of one verb.
     *
     * @param operation the verb, as in {@link StoreOperation#operation()}
     */
    public List<String> results(String operation) {
        return operations.stream()
                .filter(told -> told.operation().equals(operation))
                .map(StoreOperation::result)
                .toList();
    }

    /**
     * Waits until a guarded call of the consumer for the message has ended like this, and fails if that takes longer
     * than ten seconds.
     *
     * @param consumer the name of the consumer
     * @param messageId the message id, verbatim; null for messages that have no usable one
     * @param outcome how the call is to end
     */
    public void await(String consumer, @Nullable String messageId, Outcome outcome) {
        Awaitility.await(outcome + " of " + consumer + "/" + messageId)
                .atMost(PATIENCE)
                .until(() -> outcomes(consumer, messageId), told -> told.contains(outcome));
    }

    /** Forgets all that was told so far. */
    public void clear() {
        consumers.clear();
        outcomes.clear();
        operations.clear();
    }
}
