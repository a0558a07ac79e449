package dev.idempotency.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.TriggerContext;
import org.springframework.scheduling.support.CronTrigger;
import org.springframework.scheduling.support.SimpleTriggerContext;

/** Times of a cron expression, none before a given one, and each a little later, on each node by another while. */
final class CleanupTrigger implements Trigger {

    private static final Duration LONGEST_JITTER = Duration.ofMinutes(1);
    private static final int SHARE = 10;

    private final CronTrigger cron;
    private final Instant notBefore;

    CleanupTrigger(String expression, Instant notBefore) {
        this.cron = new CronTrigger(expression);
        this.notBefore = notBefore;
    }

    @Override
    public @Nullable Instant nextExecution(TriggerContext context) {
        Instant next = cron.nextExecution(context);
        while (next != null && next.isBefore(notBefore)) {
            next = cron.nextExecution(after(next));
        }
        Instant following = next != null ? cron.nextExecution(after(next)) : null;
        if (next == null || following == null) {
            return next;
        }
        Duration share = Duration.between(next, following).dividedBy(SHARE);
        Duration jitter = share.compareTo(LONGEST_JITTER) < 0 ? share : LONGEST_JITTER;
        return next.plusMillis(ThreadLocalRandom.current().nextLong(jitter.toMillis() + 1));
    }

    private static TriggerContext after(Instant time) {
        return new SimpleTriggerContext(time, time, time);
    }
}
