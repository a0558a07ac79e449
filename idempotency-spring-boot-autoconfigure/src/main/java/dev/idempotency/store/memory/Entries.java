package dev.idempotency.store.memory;

import dev.idempotency.Claim;
import dev.idempotency.MessageState;
import dev.idempotency.store.memory.Timed.HeldClaim;
import dev.idempotency.store.memory.Timed.Mark;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the store, one message and one step at a time. Not safe for use by many threads.
 */
final class Entries {

    // A write adds one entry at most, so removing more than one keeps ahead of any flow of new ids.
    private static final int PURGED_PER_WRITE = 4;

    private final Timeline<Mark> marks = new Timeline<>();
    private final Timeline<HeldClaim> claims = new Timeline<>();
    private final Duration retention;
    private final int maxEntries;
    private long written;
    private long evicted;

    Entries(Duration retention, int maxEntries) {
        this.retention = retention;
        this.maxEntries = maxEntries;
    }

    boolean seen(StoredKey key, Instant now) {
        return liveMark(key, now) != null;
    }

    boolean remember(StoredKey key, Instant now) {
        purge(now);
        if (seen(key, now)) {
            return false;
        }
        if (marks.get(key) == null) {
            makeRoom(key);
        }
        marks.put(new Mark(key, Timed.endOf(now, retention), written++));
        return true;
    }

    void forget(StoredKey key, Instant now) {
        purge(now);
        marks.remove(key);
    }

    Claim claim(StoredKey key, String owner, Duration lease, Instant now) {
        purge(now);
        if (seen(key, now)) {
            return Claim.SEEN;
        }
        HeldClaim current = liveClaim(key, now);
        if (current != null && !current.owner().equals(owner)) {
            return Claim.HELD;
        }
        if (claims.get(key) == null) {
            makeRoom(key);
        }
        Instant since = current == null ? now : current.since();
        claims.put(new HeldClaim(key, owner, since, Timed.endOf(now, lease), written++));
        return Claim.ACQUIRED;
    }

    boolean renew(StoredKey key, String owner, Duration lease, Instant now) {
        purge(now);
        HeldClaim current = claims.get(key);
        if (current == null || !current.isHeldBy(owner, now)) {
            return false;
        }
        claims.put(new HeldClaim(key, owner, current.since(), Timed.endOf(now, lease), written++));
        return true;
    }

    boolean complete(StoredKey key, String owner, Instant now) {
        HeldClaim current = claims.get(key);
        boolean held = current != null && current.isHeldBy(owner, now);
        // First, because the claim's own place is what the mark may need.
        release(key, owner, now);
        return remember(key, now) && held;
    }

    void release(StoredKey key, String owner, Instant now) {
        HeldClaim current = claims.get(key);
        if (current != null && current.owner().equals(owner)) {
            claims.remove(key);
        }
        purge(now);
    }

    MessageState state(StoredKey key, Instant now) {
        Mark mark = liveMark(key, now);
        if (mark != null) {
            return MessageState.seen(mark.end());
        }
        HeldClaim claim = liveClaim(key, now);
        return claim == null ? MessageState.unknown() : MessageState.inFlight(claim.since());
    }

    int size() {
        return marks.size() + claims.size();
    }

    long evicted() {
        return evicted;
    }

    private @Nullable Mark liveMark(StoredKey key, Instant now) {
        Mark mark = marks.get(key);
        return mark != null && mark.isLive(now) ? mark : null;
    }

    private @Nullable HeldClaim liveClaim(StoredKey key, Instant now) {
        HeldClaim claim = claims.get(key);
        return claim != null && claim.isLive(now) ? claim : null;
    }

    private void purge(Instant now) {
        marks.purge(now, PURGED_PER_WRITE);
        claims.purge(now, PURGED_PER_WRITE);
    }

    // Follows a purge: in a full store, whatever is left at the head of either timeline is live.
    private void makeRoom(StoredKey key) {
        if (size() < maxEntries) {
            return;
        }
        if (!marks.removeFirst()) {
            throw new IllegalStateException("In-memory store has no room for consumer '" + key.consumer() + "': all "
                    + maxEntries + " entries are claims of handlers in work. Raise 'idempotency.in-memory.max-entries'"
                    + " above the number of messages that are handled at a time.");
        }
        evicted++;
    }
}
