package dev.idempotency.store.memory;

import dev.idempotency.Claim;
import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.MessageKey;
import dev.idempotency.MessageState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store in the memory of this process, for tests and for consumers that run as a single process.
 *
 * <p><strong>Guarantee.</strong> All that {@link ClaimingIdempotencyStore} promises, among the threads of this process
 * and for as long as it lives. Never holds more than the given number of entries: when full, it evicts the mark whose
 * retention ends first, and a duplicate of an evicted message runs again; a live claim is never evicted. If all entries
 * are live claims, {@link #claim} and {@link #remember} throw an {@link IllegalStateException}; {@link #complete} of a
 * claim that is still held never does.
 *
 * <p><strong>What it is not.</strong> Shared or persistent: another process has marks of its own, and a restart forgets
 * everything. Use a shared store for more than one worker.
 *
 * <p>Safe for use by many threads. No step looks at more than a few entries; expired ones are removed a few at a time by
 * each write, so nobody has to read or clean them up.
 *
 * @since 0.1
 */
public final class InMemoryIdempotencyStore implements ClaimingIdempotencyStore {

    private static final Logger log = LoggerFactory.getLogger(InMemoryIdempotencyStore.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final Entries entries;
    private final InstantSource clock;

    /**
     * Creates an empty store whose clock advances steadily, whatever is done to the clock of the machine.
     *
     * @param retention how long a mark lives, counted from the mark; positive, and practically for ever if huge
     * @param maxEntries how many marks and claims are kept at most; at least 1
     * @throws IllegalArgumentException if the retention or the number of entries is not positive
     */
    public InMemoryIdempotencyStore(Duration retention, int maxEntries) {
        this(retention, maxEntries, steadyClock());
    }

    /**
     * Creates an empty store with a clock of its own.
     *
     * @param retention how long a mark lives, counted from the mark; positive, and practically for ever if huge
     * @param maxEntries how many marks and claims are kept at most; at least 1
     * @param clock the clock by which marks and leases are judged; called under the lock of the store
     * @throws IllegalArgumentException if the retention or the number of entries is not positive
     */
    public InMemoryIdempotencyStore(Duration retention, int maxEntries, InstantSource clock) {
        if (maxEntries < 1) {
            throw new IllegalArgumentException("'maxEntries' must be at least 1: " + maxEntries);
        }
        this.entries = new Entries(requirePositive(retention, "retention"), maxEntries);
        this.clock = Objects.requireNonNull(clock, "'clock' must not be null");
    }

    @Override
    public boolean seen(MessageKey key) {
        return locked(now -> entries.seen(StoredKey.of(key), now));
    }

    @Override
    public boolean remember(MessageKey key) {
        return locked(now -> entries.remember(StoredKey.of(key), now));
    }

    @Override
    public void forget(MessageKey key) {
        locked(now -> {
            entries.forget(StoredKey.of(key), now);
            return true;
        });
    }

    @Override
    public Claim claim(MessageKey key, String owner, Duration lease) {
        requirePositive(lease, "lease");
        return locked(now -> entries.claim(StoredKey.of(key), owner, lease, now));
    }

    @Override
    public boolean renew(MessageKey key, String owner, Duration lease) {
        requirePositive(lease, "lease");
        return locked(now -> entries.renew(StoredKey.of(key), owner, lease, now));
    }

    @Override
    public boolean complete(MessageKey key, String owner) {
        return locked(now -> entries.complete(StoredKey.of(key), owner, now));
    }

    @Override
    public void release(MessageKey key, String owner) {
        locked(now -> {
            entries.release(StoredKey.of(key), owner, now);
            return true;
        });
    }

    @Override
    public Set<MessageKey> seenAmong(Collection<MessageKey> keys) {
        return locked(now -> matching(keys, key -> entries.seen(StoredKey.of(key), now)));
    }

    @Override
    public Set<MessageKey> rememberAll(Collection<MessageKey> keys) {
        return locked(now -> matching(keys, key -> entries.remember(StoredKey.of(key), now)));
    }

    /**
     * {@inheritDoc}
     *
     * <p>If there is no room for all of them, none of them is left claimed.
     */
    @Override
    public Map<MessageKey, Claim> claimAll(Collection<MessageKey> keys, String owner, Duration lease) {
        requirePositive(lease, "lease");
        return locked(now -> {
            Map<MessageKey, Claim> claims = new LinkedHashMap<>();
            try {
                for (MessageKey key : keys) {
                    claims.put(key, entries.claim(StoredKey.of(key), owner, lease, now));
                }
            } catch (IllegalStateException ex) {
                claims.keySet().forEach(key -> entries.release(StoredKey.of(key), owner, now));
                throw ex;
            }
            return claims;
        });
    }

    @Override
    public Set<MessageKey> renewAll(Map<MessageKey, String> owners, Duration lease) {
        requirePositive(lease, "lease");
        return locked(now -> {
            Set<MessageKey> renewed = new LinkedHashSet<>();
            owners.forEach((key, owner) -> {
                if (entries.renew(StoredKey.of(key), owner, lease, now)) {
                    renewed.add(key);
                }
            });
            return renewed;
        });
    }

    @Override
    public Set<MessageKey> completeAll(Collection<MessageKey> keys, String owner) {
        return locked(now -> matching(keys, key -> entries.complete(StoredKey.of(key), owner, now)));
    }

    @Override
    public void releaseAll(Collection<MessageKey> keys, String owner) {
        locked(now -> {
            keys.forEach(key -> entries.release(StoredKey.of(key), owner, now));
            return true;
        });
    }

    /** Returns since when the message is in flight, or until when it is seen. */
    @Override
    public MessageState state(MessageKey key) {
        return locked(now -> entries.state(StoredKey.of(key), now));
    }

    /** Returns the number of marks and claims that are kept, those included that are over but not yet removed. */
    public int size() {
        return locked(now -> entries.size());
    }

    /** Returns how many live marks were evicted so far because the store was full. */
    public long evictions() {
        return locked(now -> entries.evicted());
    }

    // Each step is a few look-ups, so waiting for the lock is never long; nothing is logged while it is held.
    private <T> T locked(Function<Instant, T> step) {
        long evicted;
        T answer;
        lock.lock();
        try {
            long before = entries.evicted();
            answer = step.apply(clock.instant());
            evicted = entries.evicted() - before;
        } finally {
            lock.unlock();
        }
        if (evicted > 0) {
            log.debug("In-memory store is full: evicted {} mark(s) before their retention ended", evicted);
        }
        return answer;
    }

    private static Set<MessageKey> matching(Collection<MessageKey> keys, Predicate<MessageKey> step) {
        Set<MessageKey> matching = new LinkedHashSet<>();
        for (MessageKey key : keys) {
            if (step.test(key)) {
                matching.add(key);
            }
        }
        return matching;
    }

    private static Duration requirePositive(Duration duration, String name) {
        if (duration.isZero() || duration.isNegative()) {
            throw new IllegalArgumentException("'" + name + "' must be positive: " + duration);
        }
        return duration;
    }

    // Steps of the wall clock must not end a claim early, nor keep it for ever.
    private static InstantSource steadyClock() {
        Instant start = Instant.now();
        long anchor = System.nanoTime();
        return () -> start.plusNanos(System.nanoTime() - anchor);
    }
}
