package dev.idempotency.store.redis;

import dev.idempotency.MessageKey;

/**
 * The keys of one namespace, readable: prefix, namespace, consumer and id, with colons between. The id is last and as it
 * is; what could be taken for a colon or for the hash tag of a cluster is escaped before it.
 */
final class MessageKeys {

    private final String start;

    MessageKeys(String prefix, String namespace) {
        this.start = prefix + escaped(namespace) + ":";
    }

    String of(MessageKey key) {
        return start + escaped(key.consumer()) + ":" + key.storedId();
    }

    private static String escaped(String text) {
        return text.replace("%", "%25").replace(":", "%3A").replace("{", "%7B");
    }
}
