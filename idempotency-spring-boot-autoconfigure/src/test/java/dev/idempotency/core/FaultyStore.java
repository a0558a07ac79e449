package dev.idempotency.core;

import dev.idempotency.Claim;
import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.MessageKey;
import dev.idempotency.MessageState;
import dev.idempotency.store.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** A store in memory whose verbs can be made to fail, as those of a server that is out do. */
final class FaultyStore implements ClaimingIdempotencyStore {

    private volatile InMemoryIdempotencyStore store = new InMemoryIdempotencyStore(Duration.ofDays(1), 1000);
    private final Set<String> failing = ConcurrentHashMap.newKeySet();
    private final Set<String> broken = ConcurrentHashMap.newKeySet();
    private volatile boolean claimAnswersLost;
    private volatile Duration slownessAfterComplete = Duration.ZERO;
    private volatile Duration slownessOfClaims = Duration.ZERO;
    private volatile RuntimeException thrownByRelease;
    private volatile boolean renewing = true;

    FaultyStore failAt(String... verbs) {
        failing.addAll(Set.of(verbs));
        return this;
    }

    /** Claims are made, but nobody is told. */
    void loseAnswersOfClaims() {
        claimAnswersLost = true;
    }

    /** The answer to a mark is late, though the mark is there. */
    void slowDownAfterComplete(Duration time) {
        slownessAfterComplete = time;
    }

    /** As a database that waits a while for another transaction. */
    void slowDownClaims(Duration time) {
        slownessOfClaims = time;
    }

    void throwAtRelease(RuntimeException thrown) {
        thrownByRelease = thrown;
    }

    /** As a server that was flushed. */
    void loseEverything() {
        store = new InMemoryIdempotencyStore(Duration.ofDays(1), 1000);
    }

    void recover() {
        failing.clear();
        broken.clear();
        claimAnswersLost = false;
    }

    /** Renewals are answered, but do not reach the store: as if the process were stalled. */
    FaultyStore stallRenewals() {
        renewing = false;
        return this;
    }

    /** As with a library that is missing a class. */
    FaultyStore breakAt(String verb) {
        broken.add(verb);
        return this;
    }

    private void check(String verb) {
        if (broken.contains(verb)) {
            throw new NoClassDefFoundError(verb);
        }
        if (failing.contains(verb)) {
            throw new StoreIsOut(verb);
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new StoreIsOut(verb + " while interrupted");
        }
    }

    @Override
    public boolean seen(MessageKey key) {
        check("seen");
        return store.seen(key);
    }

    @Override
    public boolean remember(MessageKey key) {
        check("remember");
        return store.remember(key);
    }

    @Override
    public void forget(MessageKey key) {
        check("forget");
        store.forget(key);
    }

    @Override
    public Claim claim(MessageKey key, String owner, Duration lease) {
        LockSupport.parkNanos(slownessOfClaims.toNanos());
        check("claim");
        Claim claim = store.claim(key, owner, lease);
        if (claimAnswersLost) {
            throw new StoreIsOut("claim, its answer");
        }
        return claim;
    }

    @Override
    public boolean renew(MessageKey key, String owner, Duration lease) {
        check("renew");
        return !renewing || store.renew(key, owner, lease);
    }

    @Override
    public boolean complete(MessageKey key, String owner) {
        check("complete");
        boolean completed = store.complete(key, owner);
        LockSupport.parkNanos(slownessAfterComplete.toNanos());
        return completed;
    }

    @Override
    public void release(MessageKey key, String owner) {
        check("release");
        if (thrownByRelease != null) {
            throw thrownByRelease;
        }
        store.release(key, owner);
    }

    @Override
    public MessageState state(MessageKey key) {
        return store.state(key);
    }

    /** What this store throws. */
    static final class StoreIsOut extends RuntimeException {
        StoreIsOut(String verb) {
            super(verb);
        }
    }
}
