package dev.idempotency.store.jdbc;

import dev.idempotency.IdempotencyMode;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.core.IdempotencyTemplate;
import dev.idempotency.store.jdbc.TestDatabase.Isolation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A million expired rows are cleaned while guarded messages are recorded. Prints how long that took, and how long a
 * message took with and without.
 */
final class CleanupLoad {

    private static final int ROWS = 1_000_000;
    private static final int PER_SECOND = 200;
    private static final int THREADS = 4;

    private final String name;
    private final TestDatabase database;
    private final IdempotencyTemplate template;
    private int round;

    private CleanupLoad(String name, TestDatabase database) {
        this.name = name;
        this.database = database;
        this.template = IdempotencyTemplate.builder(database.store("load", Duration.ofDays(7)))
                .mode(IdempotencyMode.TRANSACTIONAL)
                .build();
    }

    public static void main(String... arguments) throws Exception {
        boolean held = new CleanupLoad(
                        "postgresql", PostgresDatabase.on(DatabaseServer.BUNDLED, Isolation.TRANSACTION_READ_COMMITTED))
                .run("select 'old', 'orders', 'id' || n, 'S', null, null, n, null from generate_series(1, " + ROWS
                        + ") as s (n)");
        held &= new CleanupLoad(
                        "mariadb", MariaDbDatabase.on(DatabaseServer.BUNDLED, Isolation.TRANSACTION_REPEATABLE_READ))
                .run("select 'old', 'orders', concat('id', seq), 'S', null, null, seq, null from seq_1_to_" + ROWS);
        System.exit(held ? 0 : 1);
    }

    private boolean run(String rows) throws Exception {
        messages(Duration.ofSeconds(5));
        Latencies without = messages(Duration.ofSeconds(30));
        database.execute("insert into idempotency_message " + Dialect.COLUMNS + " " + rows);
        JdbcCleanup cleanup = new JdbcCleanup(database.store("load", Duration.ofDays(7)), 1000);
        ExecutorService cleaner = Executors.newSingleThreadExecutor();
        Future<Long> cleaned = cleaner.submit(cleanup::run);
        List<Latencies> with = new ArrayList<>();
        while (!cleaned.isDone()) {
            with.add(messages(Duration.ofSeconds(1)));
        }
        cleaner.shutdown();
        Latencies all = Latencies.of(with);
        System.out.printf(
                "cleanup: database=%s rows=%d seconds=%d messages=%d errors=%d p99=%.1fms p99-without=%.1fms%n",
                name,
                cleaned.get(),
                cleanup.totalTime().toSeconds(),
                all.nanos.size(),
                all.errors + without.errors,
                all.p99(),
                without.p99());
        return cleaned.get() == ROWS && all.errors + without.errors == 0;
    }

    /** Handles messages at an even pace; each one's time counts from when it was due. */
    private Latencies messages(Duration time) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<Latencies>> parts = new ArrayList<>();
        int count = (int) (PER_SECOND * time.toSeconds() / THREADS);
        round++;
        for (int i = 0; i < THREADS; i++) {
            String prefix = round + "-" + i + "-";
            parts.add(threads.submit(() -> part(prefix, count)));
        }
        threads.shutdown();
        List<Latencies> all = new ArrayList<>();
        for (Future<Latencies> part : parts) {
            all.add(part.get());
        }
        return Latencies.of(all);
    }

    private Latencies part(String prefix, int count) {
        Latencies latencies = new Latencies();
        long pace = TimeUnit.SECONDS.toNanos(1) * THREADS / PER_SECOND;
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long due = start + i * pace;
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            try {
                Outcome outcome = template.execute(MessageKey.of("orders", prefix + i), () -> null)
                        .outcome();
                latencies.errors += outcome == Outcome.PROCESSED ? 0 : 1;
            } catch (Throwable ex) {
                latencies.errors++;
                ex.printStackTrace();
            }
            latencies.nanos.add(System.nanoTime() - due);
        }
        return latencies;
    }

    private static final class Latencies {

        private final List<Long> nanos = new ArrayList<>();
        private int errors;

        static Latencies of(List<Latencies> parts) {
            Latencies all = new Latencies();
            for (Latencies part : parts) {
                all.nanos.addAll(part.nanos);
                all.errors += part.errors;
            }
            return all;
        }

        double p99() {
            return nanos.stream()
                            .sorted()
                            .skip(nanos.size() * 99L / 100)
                            .findFirst()
                            .orElse(0L)
                    / 1e6;
        }
    }
}
