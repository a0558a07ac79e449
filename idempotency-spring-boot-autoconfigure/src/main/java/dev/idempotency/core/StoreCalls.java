package dev.idempotency.core;

import dev.idempotency.Claim;
import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.IdempotencyStore;
import dev.idempotency.MessageKey;
import dev.idempotency.TransactionalIdempotencyStore;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The guard's calls of one store, each of them observed. */
final class StoreCalls {

    private final String store;
    private final Observers observers;

    StoreCalls(String store, Observers observers) {
        this.store = store;
        this.observers = observers;
    }

    String store() {
        return store;
    }

    Claim seen(IdempotencyStore from, MessageKey key) {
        return observed(
                "seen", () -> from.seen(key) ? Claim.SEEN : Claim.ACQUIRED, c -> c == Claim.SEEN ? "seen" : "new");
    }

    boolean remember(IdempotencyStore in, MessageKey key) {
        return observed("remember", () -> in.remember(key), StoreCalls::markResult);
    }

    Claim claim(ClaimingIdempotencyStore from, MessageKey key, String owner, Duration lease) {
        return observed("claim", () -> from.claim(key, owner, lease), StoreCalls::claimResult);
    }

    void renewAll(
            ClaimingIdempotencyStore in,
            Map<MessageKey, String> owners,
            Duration lease,
            Predicate<Set<MessageKey>> allKept) {
        observed("renew", () -> in.renewAll(owners, lease), renewed -> allKept.test(renewed) ? "done" : "lost");
    }

    void renewalLimitReached(long sinceNanos) {
        observers.storeOperation(store, "renew", "limit", sinceNanos);
    }

    boolean complete(ClaimingIdempotencyStore in, MessageKey key, String owner) {
        return observed("complete", () -> in.complete(key, owner), StoreCalls::markResult);
    }

    void release(ClaimingIdempotencyStore in, MessageKey key, String owner) {
        observed(
                "release",
                () -> {
                    in.release(key, owner);
                    return true;
                },
                done -> "done");
    }

    Claim record(TransactionalIdempotencyStore in, MessageKey key) {
        return observed("record", () -> in.record(key), StoreCalls::claimResult);
    }

    private <R> R observed(String operation, Supplier<R> call, Function<R, String> result) {
        long started = System.nanoTime();
        String answer = "error";
        try {
            R value = call.get();
            answer = result.apply(value);
            return value;
        } finally {
            observers.storeOperation(store, operation, answer, started);
        }
    }

    private static String claimResult(Claim claim) {
        return claim.name().toLowerCase(Locale.ROOT);
    }

    private static String markResult(boolean first) {
        return first ? "done" : "overlapped";
    }
}
