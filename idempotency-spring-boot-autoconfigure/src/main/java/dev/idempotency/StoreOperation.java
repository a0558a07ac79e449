package dev.idempotency;

import java.time.Duration;
import java.util.Objects;

/**
 * One call of a store, as {@link IdempotencyListener} sees it.
 *
 * @param store the name of the store
 * @param operation the verb, one of a closed list: {@code seen}, {@code remember}, {@code claim}, {@code renew},
 *     {@code complete}, {@code release}, {@code record}
 * @param result the answer, one of a closed list: {@code acquired}, {@code held}, {@code seen}, {@code new},
 *     {@code done}, {@code overlapped}, {@code lost} (a lease that was no longer held), {@code limit} (a lease that is
 *     not renewed any further), {@code error}
 * @param duration how long the call took
 * @since 0.1
 */
public record StoreOperation(String store, String operation, String result, Duration duration) {

    /** Checks that all is given. */
    public StoreOperation {
        Objects.requireNonNull(store, "'store' must not be null");
        Objects.requireNonNull(operation, "'operation' must not be null");
        Objects.requireNonNull(result, "'result' must not be null");
        Objects.requireNonNull(duration, "'duration' must not be null");
    }
}
