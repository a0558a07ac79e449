package dev.idempotency.core;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A claim, and what ends it. Tried by one thread; made by another. */
final class UnfinishedClaim {

    private static final Logger log = LoggerFactory.getLogger(IdempotencyTemplate.class);

    private final KeptLease lease;
    private final Runnable ending;
    private final boolean mark;
    private long due = System.nanoTime();
    private int failures;

    UnfinishedClaim(KeptLease lease, Runnable ending, boolean mark) {
        this.lease = lease;
        this.ending = ending;
        this.mark = mark;
    }

    boolean isMark() {
        return mark;
    }

    int failures() {
        return failures;
    }

    boolean isDue(long now) {
        return now - due >= 0;
    }

    boolean isRunOut(long now) {
        return lease.isRunOut(now);
    }

    /** Returns false if the store did not take it. */
    boolean end() {
        try {
            ending.run();
        } catch (Throwable ex) {
            log.debug("Claim still cannot be ended for consumer {}.", lease.key(), ex);
            return false;
        }
        if (mark) {
            log.info("Mark was written late for consumer {}.", lease.key());
        }
        return true;
    }

    /** Makes it due after a pause that doubles with each failure. */
    void pauseAfterFailure(Duration first, Duration longest) {
        Duration doubled = first.multipliedBy(1L << Math.min(failures, 10));
        failures++;
        due = System.nanoTime() + (doubled.compareTo(longest) < 0 ? doubled : longest).toNanos();
    }

    void giveUp() {
        if (mark) {
            log.warn(
                    "Mark could not be written for consumer {} until its lease ended, or the application did. A redelivery"
                            + " would run.",
                    lease.key());
        }
    }
}
