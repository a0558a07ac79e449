package dev.idempotency.test;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.MessageKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** The smallest correct store: three methods. */
final class ThreeVerbStore implements IdempotencyStore {

    private final ConcurrentMap<List<String>, Instant> seenUntil = new ConcurrentHashMap<>();
    private final Duration retention;
    private final InstantSource clock;

    ThreeVerbStore(Duration retention, InstantSource clock) {
        if (retention.isZero() || retention.isNegative()) {
            throw new IllegalArgumentException("'retention' must be positive: " + retention);
        }
        this.retention = retention;
        this.clock = clock;
    }

    @Override
    public boolean seen(MessageKey key) {
        Instant until = seenUntil.get(stored(key));
        return until != null && clock.instant().isBefore(until);
    }

    @Override
    public boolean remember(MessageKey key) {
        AtomicBoolean marked = new AtomicBoolean();
        Instant now = clock.instant();
        seenUntil.compute(stored(key), (stored, until) -> {
            marked.set(until == null || !now.isBefore(until));
            return marked.get() ? end(now) : until;
        });
        return marked.get();
    }

    @Override
    public void forget(MessageKey key) {
        seenUntil.remove(stored(key));
    }

    private Instant end(Instant now) {
        return retention.compareTo(Duration.between(now, Instant.MAX)) < 0 ? now.plus(retention) : Instant.MAX;
    }

    private static List<String> stored(MessageKey key) {
        return List.of(key.consumer(), key.storedId());
    }
}
