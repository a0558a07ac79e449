package dev.idempotency.autoconfigure;

import dev.idempotency.store.jdbc.JdbcCleanup;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

/** Cleans the table of the store now and then, on a thread of its own. */
final class CleanupSchedule implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(JdbcCleanup.class);

    private final ObjectProvider<JdbcCleanup> cleanup;
    private final String cron;
    private final Duration delay;
    private volatile @Nullable ThreadPoolTaskScheduler scheduler;
    private volatile @Nullable ScheduledFuture<?> next;

    /** Creates a schedule; {@code delay} is how long the application is left alone after its start. */
    CleanupSchedule(ObjectProvider<JdbcCleanup> cleanup, String cron, Duration delay) {
        this.cleanup = cleanup;
        this.cron = cron;
        this.delay = delay;
    }

    @Override
    public void start() {
        if (cron.equals(ScheduledTaskRegistrar.CRON_DISABLED)) {
            return;
        }
        // Asked for now, so that what is wrong with it ends the start.
        JdbcCleanup target = cleanup.getObject();
        ThreadPoolTaskScheduler started = new ThreadPoolTaskScheduler();
        started.setThreadNamePrefix("idempotency-cleanup-");
        started.setDaemon(true);
        started.initialize();
        next = started.schedule(
                () -> clean(target), new CleanupTrigger(cron, Instant.now().plus(delay)));
        scheduler = started;
    }

    private static void clean(JdbcCleanup cleanup) {
        try {
            long deleted = cleanup.run();
            log.debug("Deleted {} expired rows of the idempotency store.", deleted);
        } catch (DataAccessException ex) {
            log.warn(
                    "Expired rows of the idempotency store were not deleted. They do no harm, and the next run tries again.",
                    ex);
        }
    }

    @Override
    public void stop() {
        ScheduledFuture<?> planned = next;
        if (planned != null) {
            // A run that is interrupted ends after its batch.
            planned.cancel(true);
        }
        ThreadPoolTaskScheduler running = scheduler;
        if (running != null) {
            running.shutdown();
        }
        scheduler = null;
    }

    @Override
    public boolean isRunning() {
        return scheduler != null;
    }
}
