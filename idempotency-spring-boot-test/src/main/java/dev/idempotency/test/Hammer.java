package dev.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** Eight threads that do the same at the same time. */
final class Hammer {

    static final int THREADS = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private Hammer() {}

    /** Runs one task per thread, all started together; returns their answers or throws the first failure. */
    static <T> List<T> run(IntFunction<Callable<T>> task) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(THREADS, runnable -> {
            Thread thread = new Thread(runnable, "hammer");
            thread.setDaemon(true);
            return thread;
        });
        try {
            CyclicBarrier start = new CyclicBarrier(THREADS);
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Callable<T> own = task.apply(i);
                futures.add(executor.submit(() -> {
                    start.await();
                    return own.call();
                }));
            }
            List<T> answers = new ArrayList<>();
            for (Future<T> future : futures) {
                answers.add(future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            }
            return answers;
        } finally {
            executor.shutdownNow();
        }
    }

    /** Detects two winners at once: by their number, and by an unprotected counter that loses what they add at once. */
    static final class Room {

        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger overlaps = new AtomicInteger();
        private final AtomicInteger entries = new AtomicInteger();
        private int unprotected;

        void enter() {
            entries.incrementAndGet();
            if (inside.incrementAndGet() > 1) {
                overlaps.incrementAndGet();
            }
            int before = unprotected;
            Thread.yield();
            unprotected = before + 1;
            inside.decrementAndGet();
        }

        void assertOneAtATime() {
            assertThat(overlaps).as("winners at the same time").hasValue(0);
            assertThat(unprotected).as("winners that another did not overwrite").isEqualTo(entries.get());
        }
    }
}
