package dev.idempotency.store.jdbc;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.PessimisticLockingFailureException;

/**
 * Deletes rows whose time is over, so that the table does not grow for ever. They mean nothing any more: whether they are
 * deleted, when, and by how many processes at once, changes no answer of the store.
 *
 * <p>Rows go in batches, each in a transaction of its own on a connection of its own at READ COMMITTED, by the database's
 * clock. Between two batches it rests for as long as the last one took. A batch that other transactions are in the way
 * of is tried again with half as many rows. Rows of all namespaces in the table are deleted.
 *
 * <p>Safe for use by many threads, of which one cleans and the others read the figures.
 *
 * @since 0.1
 */
public final class JdbcCleanup {

    // A run that has so much to do is followed by another one.
    private static final int MOST_BATCHES = 1000;
    private static final long LONGEST_REST_NANOS = 1_000_000_000;

    private final JdbcIdempotencyStore store;
    private final int batchSize;
    private final AtomicLong rows = new AtomicLong();
    private final AtomicLong runs = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();
    private volatile @Nullable Long lastSuccess;
    private volatile Duration oldest = Duration.ZERO;

    /**
     * Creates a cleanup that does nothing by itself.
     *
     * @param store whose table is to be cleaned
     * @param batchSize how many rows are deleted by one statement at most, positive
     */
    public JdbcCleanup(JdbcIdempotencyStore store, int batchSize) {
        if (batchSize < 1) {
            throw new IllegalArgumentException("'batchSize' must be positive: " + batchSize);
        }
        this.store = Objects.requireNonNull(store, "'store' must not be null");
        this.batchSize = batchSize;
    }

    /**
     * Deletes what is expired, up to a thousand batches of it. Ends early if its thread is interrupted, or if other
     * transactions are in the way of a single row.
     *
     * @return how many rows were deleted
     * @throws org.springframework.dao.DataAccessException if the database does not answer
     */
    public long run() {
        long began = System.nanoTime();
        long before = rows.get();
        try {
            if (deleteAll()) {
                lastSuccess = System.nanoTime();
            }
            oldest = Duration.ofMillis(Math.max(0, store.oldestExpired()));
        } finally {
            runs.incrementAndGet();
            nanos.addAndGet(System.nanoTime() - began);
        }
        return rows.get() - before;
    }

    /** Returns whether it got through. */
    private boolean deleteAll() {
        int limit = batchSize;
        for (int batch = 0; batch < MOST_BATCHES && !Thread.currentThread().isInterrupted(); batch++) {
            long began = System.nanoTime();
            int deleted;
            try {
                deleted = store.deleteExpired(limit);
            } catch (PessimisticLockingFailureException ex) {
                if (limit == 1) {
                    return false;
                }
                limit /= 2;
                continue;
            }
            rows.addAndGet(deleted);
            if (deleted < limit) {
                return true;
            }
            LockSupport.parkNanos(Math.min(System.nanoTime() - began, LONGEST_REST_NANOS));
        }
        return true;
    }

    /** Returns how many rows were deleted since this object was made. */
    public long deletedRows() {
        return rows.get();
    }

    /** Returns how many runs there were, those that failed included. */
    public long runs() {
        return runs.get();
    }

    /** Returns how long all runs took together. */
    public Duration totalTime() {
        return Duration.ofNanos(nanos.get());
    }

    /** Returns how long ago the last run got through; null if none has so far. */
    public @Nullable Duration sinceSuccess() {
        Long last = lastSuccess;
        return last != null ? Duration.ofNanos(System.nanoTime() - last) : null;
    }

    /** Returns for how long the oldest row that the last run left had been expired; zero if it left none. */
    public Duration oldestExpired() {
        return oldest;
    }
}
