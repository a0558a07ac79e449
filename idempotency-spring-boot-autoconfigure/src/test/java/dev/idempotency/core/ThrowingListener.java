package dev.idempotency.core;

import dev.idempotency.IdempotencyListener;
import dev.idempotency.MessageOutcome;
import dev.idempotency.StoreOperation;

/** A listener that fails at everything, as badly as it can. */
final class ThrowingListener implements IdempotencyListener {

    @Override
    public void onConsumer(String consumer) {
        throw new NoClassDefFoundError("listener");
    }

    @Override
    public void onOutcome(MessageOutcome outcome) {
        throw new NoClassDefFoundError("listener");
    }

    @Override
    public void onStoreOperation(StoreOperation operation) {
        throw new IllegalStateException("listener");
    }
}
