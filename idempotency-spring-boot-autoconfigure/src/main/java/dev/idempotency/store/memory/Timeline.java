package dev.idempotency.store.memory;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Entries by key and by the time they end. Ordered by that time rather than by the order of writing, so that it holds
 * with a clock that steps back. Not safe for use by many threads.
 */
final class Timeline<T extends Timed> {

    private final Map<StoredKey, T> byKey = new HashMap<>();
    private final TreeSet<T> byEnd =
            new TreeSet<>(Comparator.<T, Instant>comparing(Timed::end).thenComparingLong(Timed::number));

    @Nullable
    T get(StoredKey key) {
        return byKey.get(key);
    }

    void put(T entry) {
        T old = byKey.put(entry.key(), entry);
        if (old != null) {
            byEnd.remove(old);
        }
        byEnd.add(entry);
    }

    void remove(StoredKey key) {
        T old = byKey.remove(key);
        if (old != null) {
            byEnd.remove(old);
        }
    }

    boolean removeFirst() {
        T first = byEnd.pollFirst();
        return first != null && byKey.remove(first.key()) != null;
    }

    void purge(Instant now, int limit) {
        for (int i = 0; i < limit && !byEnd.isEmpty() && !byEnd.first().isLive(now); i++) {
            removeFirst();
        }
    }

    int size() {
        return byKey.size();
    }
}
