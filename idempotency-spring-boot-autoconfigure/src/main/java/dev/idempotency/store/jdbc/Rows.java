package dev.idempotency.store.jdbc;

import dev.idempotency.MessageKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which rows messages have in the table of one namespace. */
final class Rows {

    // What one statement can have parameters for, on every database that is known.
    private static final int BATCH = 500;

    // The same for all, so that two transactions never have what the other one waits for.
    private static final Comparator<RowKey> ORDER =
            Comparator.comparing(RowKey::consumer).thenComparing(RowKey::messageId);

    // what is much longer would be no number to a database
    private static final Duration LONGEST = Duration.ofDays(1_000_000);

    private final String namespace;

    Rows(String namespace) {
        if (namespace.isBlank()) {
            throw new IllegalArgumentException("'namespace' must not be blank");
        }
        this.namespace = stored(namespace);
    }

    RowKey of(MessageKey key) {
        return new RowKey(namespace, stored(key.consumer()), key.storedId());
    }

    /** A name that no column could hold, or not every database, is kept as a digest, like such an id. */
    private static String stored(String name) {
        return MessageKey.of("any", name).storedId();
    }

    /** Returns the messages by their rows, in the order of everyone. */
    Map<RowKey, MessageKey> of(Collection<MessageKey> keys) {
        Map<RowKey, MessageKey> rows = new TreeMap<>(ORDER);
        keys.forEach(key -> rows.put(of(key), key));
        return rows;
    }

    /** Returns them in parts that a statement can take. */
    static List<List<RowKey>> parts(Collection<RowKey> rows) {
        List<RowKey> all = List.copyOf(rows);
        List<List<RowKey>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += BATCH) {
            parts.add(all.subList(from, Math.min(from + BATCH, all.size())));
        }
        return parts;
    }

    /** Returns a time in milliseconds, rounded up, so that no time is none. */
    static long millis(Duration time, String name) {
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException("'" + name + "' must be positive: " + time);
        }
        Duration bounded = time.compareTo(LONGEST) < 0 ? time : LONGEST;
        return bounded.plusNanos(999_999).toMillis();
    }
}
