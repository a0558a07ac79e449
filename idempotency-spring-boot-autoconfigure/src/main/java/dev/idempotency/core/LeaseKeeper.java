package dev.idempotency.core;

import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.MessageKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the leases of all claims in work on one store, together, on a thread of its own, so that no handler can keep
 * it from doing so. The thread ends when there is nothing to keep.
 */
final class LeaseKeeper {

    private static final Logger log = LoggerFactory.getLogger(IdempotencyTemplate.class);
    private static final int RENEWALS_PER_LEASE = 3;
    private static final Duration LONGEST_INTERVAL = Duration.ofHours(1);
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(1);

    private final ClaimingIdempotencyStore store;
    private final StoreCalls calls;
    private final ScheduledThreadPoolExecutor executor;
    private final UnfinishedClaims unfinished;
    private final Warnings warnings = new Warnings();
    private final ConcurrentMap<Duration, Set<KeptLease>> keptByLease = new ConcurrentHashMap<>();

    LeaseKeeper(ClaimingIdempotencyStore store, StoreCalls calls, Shutdown shutdown) {
        this.store = store;
        this.calls = calls;
        this.executor = DaemonThreads.scheduler("idempotency-lease-" + calls.store());
        executor.setRemoveOnCancelPolicy(true);
        this.unfinished = new UnfinishedClaims(calls.store(), shutdown);
    }

    KeptLease keep(MessageKey key, String owner, Duration lease, Duration limit) {
        KeptLease kept = new KeptLease(key, owner, lease, limit);
        // compute() makes joining a set and discarding an empty one exclude each other.
        keptByLease.compute(lease, (same, others) -> {
            Set<KeptLease> all = others;
            if (all == null) {
                all = ConcurrentHashMap.newKeySet();
                scheduleRenewal(lease);
            }
            all.add(kept);
            return all;
        });
        return kept;
    }

    void end(KeptLease kept) {
        kept.end();
        Set<KeptLease> all = keptByLease.get(kept.lease());
        if (all != null) {
            all.remove(kept);
        }
    }

    /** Stops renewing, and goes on trying to write the mark. */
    void retryMark(KeptLease kept, Runnable mark) {
        end(kept);
        unfinished.mark(kept, mark);
    }

    /** Goes on trying to mark what ran without a claim that is known of. */
    void retryMark(MessageKey key, String owner, Duration lease, Runnable mark) {
        unfinished.mark(new KeptLease(key, owner, lease, lease), mark);
    }

    /** Goes on trying to release what the store may hold. */
    void retryRelease(MessageKey key, String owner, Duration lease) {
        unfinished.release(new KeptLease(key, owner, lease, lease), () -> calls.release(store, key, owner));
    }

    private void scheduleRenewal(Duration lease) {
        schedule(interval(lease), () -> {
            try {
                renew(lease);
            } finally {
                if (keptByLease.computeIfPresent(lease, (same, all) -> all.isEmpty() ? null : all) != null) {
                    scheduleRenewal(lease);
                }
            }
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    private void schedule(Duration delay, Runnable task) {
        executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void renew(Duration lease) {
        long now = System.nanoTime();
        List<KeptLease> due = new ArrayList<>();
        for (KeptLease kept : keptByLease.getOrDefault(lease, Set.of())) {
            if (kept.isLimitReached(now)) {
                endAtLimit(kept);
            } else if (kept.isDue(now, interval(lease))) {
                due.add(kept);
            }
        }
        // One message can be in work twice, if a first run has overrun its lease: then it takes more than one round.
        while (!due.isEmpty()) {
            Map<MessageKey, KeptLease> round = new LinkedHashMap<>();
            due.removeIf(kept -> round.putIfAbsent(kept.key(), kept) == null);
            renewRound(round, lease);
        }
    }

    private void renewRound(Map<MessageKey, KeptLease> round, Duration lease) {
        Map<MessageKey, String> owners = new LinkedHashMap<>();
        round.forEach((key, kept) -> owners.put(key, kept.owner()));
        long asked = System.nanoTime();
        try {
            List<KeptLease> lost = new ArrayList<>();
            calls.renewAll(store, owners, lease, renewed -> {
                round.forEach((key, kept) -> {
                    if (renewed.contains(key)) {
                        kept.renewedAt(asked);
                    } else if (kept.isMissed()) {
                        lost.add(kept);
                    }
                });
                return lost.isEmpty();
            });
            lost.forEach(this::endAsLost);
        } catch (Throwable ex) {
            warnings.warn(
                    calls.store(),
                    "Leases of " + owners.size() + " messages in work could not be renewed in store '" + calls.store()
                            + "'. They end after " + lease + " without renewal, and copies may run then. Check the"
                            + " store.",
                    ex);
        }
    }

    private void endAsLost(KeptLease kept) {
        end(kept);
        log.warn(
                "Lease was lost for consumer {}. The handler was stalled past it, or the store dropped the claim; a copy"
                        + " may run at the same time.",
                kept.key());
    }

    private void endAtLimit(KeptLease kept) {
        end(kept);
        calls.renewalLimitReached(kept.acquired());
        log.warn(
                "Lease is not renewed any further for consumer {}. Its handler has run for 'lease-limit' {}; a copy may"
                        + " run in {}.",
                kept.key(),
                kept.limit(),
                kept.lease());
    }

    private static Duration interval(Duration lease) {
        Duration interval = lease.dividedBy(RENEWALS_PER_LEASE);
        if (interval.compareTo(SHORTEST_INTERVAL) < 0) {
            return SHORTEST_INTERVAL;
        }
        return interval.compareTo(LONGEST_INTERVAL) < 0 ? interval : LONGEST_INTERVAL;
    }
}
