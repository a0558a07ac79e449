package dev.idempotency.core;

import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads on which the ends of asynchronous work are told to the store. Never those that complete it: they may be
 * the very threads that the store's client needs for its answer. As many as there are ends to tell, since what hangs on
 * a completion runs here, too, and may wait for another one.
 */
final class Completions implements Executor {

    private static final long FIRST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            DaemonThreads.named("idempotency-completion"));

    // A future that calls nobody back can only be looked at.
    private final ScheduledThreadPoolExecutor looker = DaemonThreads.scheduler("idempotency-futures");

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /** Runs the task once the future is done, some milliseconds later at most. */
    void whenDone(Future<?> future, Runnable task) {
        look(future, task, FIRST_LOOK_NANOS);
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    private void look(Future<?> future, Runnable task, long delayNanos) {
        looker.schedule(
                () -> {
                    if (future.isDone()) {
                        execute(task);
                    } else {
                        look(future, task, Math.min(delayNanos * 2, LONGEST_LOOK_NANOS));
                    }
                },
                delayNanos,
                TimeUnit.NANOSECONDS);
    }
}
