package dev.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.MessageKey;
import dev.idempotency.store.jdbc.JdbcCleanup;
import dev.idempotency.store.jdbc.JdbcIdempotencyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.scheduling.support.SimpleTriggerContext;

/** Kind K13: the table is cleaned now and then, and a database that is out ends nothing (O72). */
@ExtendWith(OutputCaptureExtension.class)
class CleanupScheduleTests {

    private static final String EVERY_SECOND = "* * * * * *";

    private final JdbcDataSource database = new JdbcDataSource();
    private final JdbcIdempotencyStore store;
    private final JdbcCleanup cleanup;

    CleanupScheduleTests() {
        database.setUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        store = new JdbcIdempotencyStore(
                database,
                new JdbcTransactionManager(database),
                JdbcIdempotencyStore.DEFAULT_TABLE,
                "shop",
                Duration.ofMillis(1));
        cleanup = new JdbcCleanup(store, 10);
    }

    @Test
    void cleansUntilItIsStopped() {
        createTable();
        store.remember(MessageKey.of("payments", "A"));
        CleanupSchedule schedule = schedule(Duration.ZERO);
        schedule.start();
        try {
            await().until(() -> cleanup.deletedRows() == 1);
            await().until(() -> cleanup.runs() > 1);
        } finally {
            schedule.stop();
        }
        assertThat(schedule.isRunning()).isFalse();
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("idempotency-cleanup-")));
    }

    @Test
    void goesOnAfterAFailure(CapturedOutput output) {
        CleanupSchedule schedule = schedule(Duration.ZERO);
        schedule.start();
        try {
            await().until(() -> output.getAll().contains("They do no harm, and the next run tries again."));
            createTable();
            await().until(() -> cleanup.sinceSuccess() != null);
        } finally {
            schedule.stop();
        }
    }

    @Test
    void leavesTheApplicationAloneWhileItStarts() {
        Instant started = Instant.now();
        CleanupTrigger trigger = new CleanupTrigger(EVERY_SECOND, started.plus(Duration.ofMinutes(5)));
        assertThat(trigger.nextExecution(new SimpleTriggerContext()))
                .isAfterOrEqualTo(started.plus(5, ChronoUnit.MINUTES));
    }

    @Test
    void comesALittleLaterOnEachNode() {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        CleanupTrigger trigger = new CleanupTrigger("0 0 * * * *", now);
        for (int i = 0; i < 100; i++) {
            Instant next = trigger.nextExecution(new SimpleTriggerContext(now, now, now));
            assertThat(next).isBetween(now.plus(Duration.ofHours(1)), now.plus(Duration.ofMinutes(61)));
        }
    }

    private CleanupSchedule schedule(Duration delay) {
        StaticListableBeanFactory beans = new StaticListableBeanFactory();
        beans.addBean("cleanup", cleanup);
        return new CleanupSchedule(beans.getBeanProvider(JdbcCleanup.class), EVERY_SECOND, delay);
    }

    private void createTable() {
        new ResourceDatabasePopulator(new ClassPathResource("dev/idempotency/store/jdbc/schema-h2.sql"))
                .execute(database);
        assertThat(new JdbcTemplate(database).queryForObject("select count(*) from idempotency_message", Long.class))
                .isZero();
    }
}
