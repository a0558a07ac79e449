package dev.idempotency.store.redis;

import dev.idempotency.IdempotencyMode;
import dev.idempotency.MessageKey;
import dev.idempotency.core.IdempotencyTemplate;
import java.time.Duration;

/** A process whose handler begins with a message, and never ends: port, namespace, id, lease. */
final class AbandonedClaim {

    static final String BEGUN = "begun";
    static final String CONSUMER = "payments";

    private AbandonedClaim() {}

    public static void main(String... arguments) throws Throwable {
        RedisIdempotencyStore store = new RedisIdempotencyStore(
                RedisServers.connect("127.0.0.1", Integer.parseInt(arguments[0])),
                RedisIdempotencyStore.DEFAULT_PREFIX,
                arguments[1],
                Duration.ofDays(1));
        IdempotencyTemplate.builder(store)
                .mode(IdempotencyMode.CLAIM)
                .lease(Duration.parse(arguments[3]))
                .build()
                .execute(MessageKey.of(CONSUMER, arguments[2]), () -> {
                    System.out.println(BEGUN);
                    Thread.sleep(Long.MAX_VALUE);
                    return null;
                });
    }
}
