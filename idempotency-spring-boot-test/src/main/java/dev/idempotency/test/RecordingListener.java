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

    private final List<String> consumers = new CopyOnWriteArrayList<>();
    private final List<MessageOutcome> outcomes = new CopyOnWriteArrayList<>();
    private final List<StoreOperation> operations = new CopyOnWriteArrayList<>();

    private final Duration patience;

    /** Creates a listener that has been told nothing and waits for ten seconds at most. */
    public RecordingListener() {
        this(Duration.ofSeconds(10));
    }

    /**
     * Creates a listener that has been told nothing.
     *
     * @param patience how long {@link #await} waits at most
     */
    public RecordingListener(Duration patience) {
        this.patience = Objects.requireNonNull(patience, "'patience' must not be null");
    }

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
     * Waits until a guarded call of the consumer for the message has ended like this, and fails if that takes too
     * long.
     *
     * @param consumer the name of the consumer
     * @param messageId the message id, verbatim; null for messages that have no usable one
     * @param outcome how the call is to end
     */
    public void await(String consumer, @Nullable String messageId, Outcome outcome) {
        Awaitility.await(outcome + " of " + consumer + "/" + messageId)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(patience)
                .until(() -> outcomes(consumer, messageId), told -> told.contains(outcome));
    }

    /** Forgets all that was told so far. */
    public void clear() {
        consumers.clear();
        outcomes.clear();
        operations.clear();
    }
}
