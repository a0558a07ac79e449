package dev.idempotency.core;

import dev.idempotency.MessageKey;
import java.time.Duration;

/** A claim whose lease is renewed while its handler runs. Times are those of {@link System#nanoTime()}. */
final class KeptLease {

    private final MessageKey key;
    private final String owner;
    private final Duration lease;
    private final Duration limit;
    private final long acquired = System.nanoTime();
    private volatile long renewed = acquired;
    private volatile boolean ended;
    private volatile boolean marking;

    KeptLease(MessageKey key, String owner, Duration lease, Duration limit) {
        this.key = key;
        this.owner = owner;
        this.lease = lease;
        this.limit = limit;
    }

    MessageKey key() {
        return key;
    }

    String owner() {
        return owner;
    }

    Duration lease() {
        return lease;
    }

    Duration limit() {
        return limit;
    }

    long acquired() {
        return acquired;
    }

    void end() {
        ended = true;
    }

    /** From now on the claim may end by its mark at any time, and is still renewed in case the mark fails. */
    void beginMarking() {
        marking = true;
    }

    /** Returns whether a claim that the store no longer holds is missed. */
    boolean isMissed() {
        return !ended && !marking;
    }

    void renewedAt(long nanos) {
        renewed = nanos;
    }

    boolean isLimitReached(long now) {
        return Duration.ofNanos(now - acquired).compareTo(limit) >= 0;
    }

    boolean isRunOut(long now) {
        return Duration.ofNanos(now - renewed).compareTo(lease) >= 0;
    }

    /** A claim that is younger than half a renewal is left for the next one: most handlers end before it. */
    boolean isDue(long now, Duration interval) {
        return Duration.ofNanos(now - renewed).compareTo(interval.dividedBy(2)) >= 0;
    }
}
