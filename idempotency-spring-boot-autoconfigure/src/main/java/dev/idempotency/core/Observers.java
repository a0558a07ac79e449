package dev.idempotency.core;

import dev.idempotency.IdempotencyListener;
import dev.idempotency.MessageOutcome;
import dev.idempotency.Outcome;
import dev.idempotency.StoreOperation;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the listeners, and keeps whatever they throw away from the handling of messages. */
final class Observers {

    private static final Logger log = LoggerFactory.getLogger(IdempotencyTemplate.class);

    private final List<IdempotencyListener> listeners;

    Observers(List<IdempotencyListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    void consumer(String consumer) {
        tell(listener -> listener.onConsumer(consumer));
    }

    void outcome(String consumer, @Nullable String messageId, Outcome outcome, long startedNanos) {
        MessageOutcome event = new MessageOutcome(consumer, messageId, outcome, since(startedNanos));
        tell(listener -> listener.onOutcome(event));
    }

    void storeOperation(String store, String operation, String result, long startedNanos) {
        StoreOperation event = new StoreOperation(store, operation, result, since(startedNanos));
        tell(listener -> listener.onStoreOperation(event));
    }

    // A listener that fails after the handler has succeeded would otherwise make the broker deliver the message again,
    // or leave a claim behind: so nothing that it throws may pass, errors included.
    private void tell(Consumer<IdempotencyListener> event) {
        for (IdempotencyListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (Throwable ex) {
                log.warn(
                        "Listener failed: {}. Handling goes on. Fix the listener.",
                        listener.getClass().getName(),
                        ex);
            }
        }
    }

    private static Duration since(long startedNanos) {
        return Duration.ofNanos(System.nanoTime() - startedNanos);
    }
}
