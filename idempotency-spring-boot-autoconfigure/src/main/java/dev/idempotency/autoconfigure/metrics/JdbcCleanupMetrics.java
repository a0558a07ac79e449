package dev.idempotency.autoconfigure.metrics;

import dev.idempotency.store.jdbc.JdbcCleanup;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * What the cleanup of the store in a database does.
 *
 * <ul>
 *   <li>{@code idempotency.store.cleanup}: timer of its runs
 *   <li>{@code idempotency.store.cleanup.rows}: counter of deleted rows
 *   <li>{@code idempotency.store.cleanup.success.age}: time since the last run got through; no value before the first
 *   <li>{@code idempotency.store.cleanup.expired.age}: for how long the oldest row that the last run left had been
 *       expired
 * </ul>
 */
final class JdbcCleanupMetrics implements SmartInitializingSingleton {

    private static final String NAME = "idempotency.store.cleanup";

    private final Supplier<MeterRegistry> registry;
    private final ObjectProvider<JdbcCleanup> cleanups;

    JdbcCleanupMetrics(Supplier<MeterRegistry> registry, ObjectProvider<JdbcCleanup> cleanups) {
        this.registry = registry;
        this.cleanups = cleanups;
    }

    @Override
    public void afterSingletonsInstantiated() {
        cleanups.ifUnique(cleanup -> register(cleanup, registry.get()));
    }

    private static void register(JdbcCleanup cleanup, MeterRegistry registry) {
        FunctionTimer.builder(
                        NAME,
                        cleanup,
                        JdbcCleanup::runs,
                        each -> each.totalTime().toNanos(),
                        TimeUnit.NANOSECONDS)
                .description("Runs that delete expired rows of the store")
                .register(registry);
        FunctionCounter.builder(NAME + ".rows", cleanup, JdbcCleanup::deletedRows)
                .description("Expired rows that were deleted")
                .register(registry);
        TimeGauge.builder(NAME + ".success.age", cleanup, TimeUnit.MILLISECONDS, JdbcCleanupMetrics::sinceSuccess)
                .description("Time since the last cleanup that got through")
                .register(registry);
        TimeGauge.builder(
                        NAME + ".expired.age",
                        cleanup,
                        TimeUnit.MILLISECONDS,
                        each -> each.oldestExpired().toMillis())
                .description("For how long the oldest row that the last cleanup left had been expired")
                .register(registry);
    }

    private static double sinceSuccess(JdbcCleanup cleanup) {
        Duration since = cleanup.sinceSuccess();
        return since != null ? since.toMillis() : Double.NaN;
    }
}
