package dev.idempotency.autoconfigure.actuate;

import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.IdempotencyStore;
import dev.idempotency.MessageKey;
import dev.idempotency.StoreFailurePolicy;
import dev.idempotency.core.IdempotencyTemplate;
import java.time.Duration;
import java.util.UUID;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Whether the store takes what a message needs of it. It is written to: one that can only be read, or is full, lets no
 * message pass. If it does not answer, the application is down as far as it defers messages then, and of unknown health,
 * which is no reason to replace it, as far as it handles them unguarded.
 */
final class StoreHealthIndicator extends AbstractHealthIndicator {

    private static final Duration LEASE = Duration.ofSeconds(10);

    private final ObjectProvider<IdempotencyTemplate> template;

    StoreHealthIndicator(ObjectProvider<IdempotencyTemplate> template) {
        super("Store of the idempotency guard did not answer");
        this.template = template;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        IdempotencyTemplate guard = template.getObject();
        health.withDetail("store", guard.storeName());
        try {
            ask(guard.store());
            health.up();
        } catch (RuntimeException ex) {
            Status status = guard.onStoreFailure() == StoreFailurePolicy.PROCESS ? Status.UNKNOWN : Status.DOWN;
            health.status(status).withException(ex);
        }
    }

    // Under a key of this question alone, so that none waits for another one's.
    private static void ask(IdempotencyStore store) {
        MessageKey key = MessageKey.of("idempotency.health", UUID.randomUUID().toString());
        if (store instanceof ClaimingIdempotencyStore claiming) {
            claiming.claim(key, key.messageId(), LEASE);
            claiming.release(key, key.messageId());
        } else {
            store.remember(key);
            store.forget(key);
        }
    }
}
