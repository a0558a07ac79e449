package dev.idempotency.core;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims whose end the store did not take: with a mark that is still to be written, or to be released, since a store
 * that gave no answer may hold them all the same, and copies would wait for nothing. They are ended as soon as the store
 * answers again; a claim whose lease has run out ends by itself.
 */
final class UnfinishedClaims {

    private static final Logger log = LoggerFactory.getLogger(IdempotencyTemplate.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final int MOST = 100_000;
    // What else the thread has to do comes between rounds.
    private static final int MOST_PER_ROUND = 100;

    private final ScheduledThreadPoolExecutor executor;
    private final BlockingQueue<Unfinished> queue = new LinkedBlockingQueue<>(MOST);
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile Duration pause = FIRST_PAUSE;

    UnfinishedClaims(ScheduledThreadPoolExecutor executor) {
        this.executor = executor;
    }

    void mark(KeptLease lease, Runnable mark) {
        add(new Unfinished(lease, mark, true));
    }

    void release(KeptLease lease, Runnable release) {
        add(new Unfinished(lease, release, false));
    }

    private void add(Unfinished claim) {
        if (!queue.offer(claim)) {
            claim.giveUp();
        }
        scheduleIfNeeded();
    }

    private void scheduleIfNeeded() {
        if (!queue.isEmpty() && scheduled.compareAndSet(false, true)) {
            schedule(pause);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    private void schedule(Duration delay) {
        executor.schedule(this::round, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void round() {
        queue.removeIf(Unfinished::isGivenUp);
        boolean answering = true;
        for (int i = 0; i < MOST_PER_ROUND && answering; i++) {
            Unfinished claim = queue.poll();
            if (claim == null) {
                break;
            }
            answering = claim.end();
            if (!answering && !queue.offer(claim)) {
                claim.giveUp();
            }
        }
        // One failure ends a round: else a store that is out would cost its time-out with each claim.
        pause = answering ? FIRST_PAUSE : longer(pause);
        if (!queue.isEmpty()) {
            schedule(answering ? Duration.ZERO : pause);
            return;
        }
        scheduled.set(false);
        scheduleIfNeeded();
    }

    private static Duration longer(Duration pause) {
        Duration doubled = pause.multipliedBy(2);
        return doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }

    /** One claim, and what ends it. */
    private record Unfinished(KeptLease lease, Runnable ending, boolean isMark) {

        /** Returns false if the store still does not answer. */
        boolean end() {
            try {
                ending.run();
            } catch (Throwable ex) {
                log.debug("Claim still cannot be ended for consumer {}.", lease.key(), ex);
                return false;
            }
            if (isMark) {
                log.info("Mark was written late for consumer {}.", lease.key());
            }
            return true;
        }

        boolean isGivenUp() {
            if (!lease.isRunOut(System.nanoTime())) {
                return false;
            }
            giveUp();
            return true;
        }

        void giveUp() {
            if (isMark) {
                log.warn(
                        "Mark could not be written for consumer {} until its lease ended. A redelivery would run.",
                        lease.key());
            }
        }
    }
}
