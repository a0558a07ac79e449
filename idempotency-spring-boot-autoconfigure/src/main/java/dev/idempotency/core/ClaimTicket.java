package dev.idempotency.core;

import dev.idempotency.Claim;
import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.MessageKey;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** CLAIM: the message is leased to this call, under a token that no other call has. */
final class ClaimTicket implements Ticket {

    private final ClaimingIdempotencyStore store;
    private final StoreCalls calls;
    private final LeaseKeeper keeper;
    private final MessageKey key;
    private final Duration lease;
    private final Duration limit;
    private final String owner = UUID.randomUUID().toString();
    private @Nullable KeptLease kept;

    ClaimTicket(
            ClaimingIdempotencyStore store,
            StoreCalls calls,
            LeaseKeeper keeper,
            MessageKey key,
            Duration lease,
            Duration limit) {
        this.store = store;
        this.calls = calls;
        this.keeper = keeper;
        this.key = key;
        this.lease = lease;
        this.limit = limit;
    }

    @Override
    public Claim ask() {
        return calls.claim(store, key, owner, lease);
    }

    @Override
    public void admitted() {
        kept = keeper.keep(key, owner, lease, limit);
    }

    @Override
    public boolean mark() {
        if (kept != null) {
            kept.beginMarking();
        }
        return calls.complete(store, key, owner);
    }

    @Override
    public void marked() {
        endLease();
    }

    @Override
    public void unmarked() {
        if (kept != null) {
            keeper.retryMark(kept, this::mark);
        } else {
            keeper.retryMark(key, owner, lease, this::mark);
        }
    }

    // Also where the store did not answer the claim: it may hold one under this token all the same.
    @Override
    public void giveUp() {
        endLease();
        try {
            calls.release(store, key, owner);
        } catch (Throwable ex) {
            keeper.retryRelease(key, owner, lease);
            throw ex;
        }
    }

    // Not here and now: that would cost the consumer another time-out.
    @Override
    public void unanswered() {
        keeper.retryRelease(key, owner, lease);
    }

    private void endLease() {
        if (kept != null) {
            keeper.end(kept);
        }
    }
}
