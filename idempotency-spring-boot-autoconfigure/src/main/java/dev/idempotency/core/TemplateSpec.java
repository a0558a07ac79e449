package dev.idempotency.core;

import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.IdempotencyMode;
import dev.idempotency.IdempotencyStore;
import dev.idempotency.MessageIdResolver;
import dev.idempotency.TransactionalIdempotencyStore;

/** All that makes a template. */
record TemplateSpec(
        IdempotencyStore store, String storeName, Settings settings, MessageIdResolver resolver, Shared shared) {

    /** What AUTO comes to on this store, and a refusal of what the store cannot give. */
    IdempotencyMode effectiveMode() {
        boolean claiming = store instanceof ClaimingIdempotencyStore;
        return switch (settings.mode()) {
            case AUTO -> claiming ? IdempotencyMode.CLAIM : IdempotencyMode.AFTER_SUCCESS;
            case AFTER_SUCCESS -> IdempotencyMode.AFTER_SUCCESS;
            case CLAIM -> {
                require(claiming, ClaimingIdempotencyStore.class);
                yield IdempotencyMode.CLAIM;
            }
            case TRANSACTIONAL -> {
                require(store instanceof TransactionalIdempotencyStore, TransactionalIdempotencyStore.class);
                yield IdempotencyMode.TRANSACTIONAL;
            }
        };
    }

    private void require(boolean capable, Class<?> type) {
        if (!capable) {
            throw new IllegalArgumentException("Mode " + settings.mode() + " cannot be had of store '" + storeName
                    + "': " + store.getClass().getName() + " is no " + type.getSimpleName()
                    + ". Choose another mode or another store.");
        }
    }
}
