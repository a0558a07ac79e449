package dev.idempotency.store.memory;

import dev.idempotency.MessageKey;

// Not the MessageKey itself: that one keeps the verbatim id alive, however long it is.
record StoredKey(String consumer, String storedId) {

    static StoredKey of(MessageKey key) {
        return new StoredKey(key.consumer(), key.storedId());
    }
}
