package dev.idempotency.core;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns of what an outage repeats for every message: once per consumer and minute, at DEBUG in between. */
final class Warnings {

    private static final Logger log = LoggerFactory.getLogger(IdempotencyTemplate.class);
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final ConcurrentMap<String, Long> lastByConsumer = new ConcurrentHashMap<>();

    void warn(String consumer, String message, Throwable cause) {
        long now = System.nanoTime();
        Long last = lastByConsumer.get(consumer);
        if (last != null && now - last < QUIET_NANOS) {
            log.debug(message, cause);
        } else {
            lastByConsumer.put(consumer, now);
            log.warn(message, cause);
        }
    }
}
