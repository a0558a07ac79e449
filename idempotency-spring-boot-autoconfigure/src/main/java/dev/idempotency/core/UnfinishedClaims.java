package dev.idempotency.core;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Claims whose end the store did not take: with a mark that is still to be written, or to be released, since a store
 * that gave no answer may hold them all the same, and copies would wait for nothing. They are ended soon after the store
 * answers again; a claim whose lease has run out ends by itself.
 *
 * <p>On a thread of its own: what is left over from an outage must not keep the leases of messages in work from being
 * renewed.
 */
final class UnfinishedClaims {

    private static final Duration TICK = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    // What fails slowly is a store that is out: the rest would wait as long, each.
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final int MOST = 100_000;

    private final ScheduledThreadPoolExecutor executor;
    private final Shutdown shutdown;
    private final Queue<UnfinishedClaim> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    UnfinishedClaims(String store, Shutdown shutdown) {
        this.executor = DaemonThreads.scheduler("idempotency-unfinished-" + store);
        this.shutdown = shutdown;
    }

    void mark(KeptLease lease, Runnable mark) {
        add(new UnfinishedClaim(lease, mark, true));
    }

    void release(KeptLease lease, Runnable release) {
        add(new UnfinishedClaim(lease, release, false));
    }

    private void add(UnfinishedClaim claim) {
        if (size.get() >= MOST) {
            claim.giveUp();
            return;
        }
        queue.add(claim);
        size.incrementAndGet();
        schedule();
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    private void schedule() {
        if (!queue.isEmpty() && scheduled.compareAndSet(false, true)) {
            executor.schedule(this::round, TICK.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void round() {
        try {
            endDue();
        } finally {
            scheduled.set(false);
            schedule();
        }
    }

    /** Marks first, and what has failed least: what fails again and again must not keep the others waiting. */
    private void endDue() {
        long now = System.nanoTime();
        List<UnfinishedClaim> due = queue.stream()
                .filter(claim -> claim.isDue(now))
                .sorted(Comparator.comparing(UnfinishedClaim::isMark)
                        .reversed()
                        .thenComparing(UnfinishedClaim::failures))
                .toList();
        for (UnfinishedClaim claim : due) {
            long asked = System.nanoTime();
            if (claim.isRunOut(asked)) {
                claim.giveUp();
                remove(claim);
            } else if (claim.end()) {
                remove(claim);
            } else if (shutdown.isClosed()) {
                // the store is closed by now, or will be
                claim.giveUp();
                remove(claim);
            } else {
                claim.pauseAfterFailure(TICK, LONGEST_PAUSE);
                if (System.nanoTime() - asked > PATIENCE.toNanos()) {
                    return;
                }
            }
        }
    }

    private void remove(UnfinishedClaim claim) {
        queue.remove(claim);
        size.decrementAndGet();
    }
}
