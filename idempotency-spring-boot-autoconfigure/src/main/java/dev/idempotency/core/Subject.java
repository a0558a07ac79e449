package dev.idempotency.core;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.MessageKey;
import org.jspecify.annotations.Nullable;

/** A message as one store knows it: the same key in another store is another matter. */
record Subject(IdempotencyStore store, MessageKey key) {

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Subject that && store == that.store && key.equals(that.key);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }
}
