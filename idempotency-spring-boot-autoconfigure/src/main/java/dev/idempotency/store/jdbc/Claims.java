package dev.idempotency.store.jdbc;

import dev.idempotency.Claim;
import dev.idempotency.MessageKey;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;

/** What the store does to claims, each step by itself. */
final class Claims {

    private final Steps steps;
    private final Rows rows;
    private final Marks marks;
    private final long retention;

    Claims(Steps steps, Rows rows, Marks marks, long retention) {
        this.steps = steps;
        this.rows = rows;
        this.marks = marks;
        this.retention = retention;
    }

    Claim claim(MessageKey key, String owner, Duration lease) {
        RowKey row = rows.of(key);
        long millis = Rows.millis(lease, "lease");
        return steps.once("claim", Claim.HELD, (table, connection) -> table.claim(connection, row, owner, millis));
    }

    Map<MessageKey, Claim> claimAll(Collection<MessageKey> keys, String owner, Duration lease) {
        long millis = Rows.millis(lease, "lease");
        return steps.onEach(
                "claim",
                rows.of(keys),
                Claim.HELD,
                (table, connection, part) -> table.claimAll(connection, part, owner, millis));
    }

    boolean renew(MessageKey key, String owner, Duration lease) {
        RowKey row = rows.of(key);
        long millis = Rows.millis(lease, "lease");
        return steps.untilDone("renew", (table, connection) -> {
            int changed = table.renew(connection, row, owner, millis);
            return changed == Dialect.BUSY ? null : changed == 1;
        });
    }

    boolean complete(MessageKey key, String owner) {
        RowKey row = rows.of(key);
        boolean completed = steps.untilDone("complete", (table, connection) -> {
            int changed = table.complete(connection, row, owner, retention);
            return changed == Dialect.BUSY ? null : changed == 1;
        });
        if (!completed) {
            steps.untilDone("complete", (table, connection) -> Steps.isDone(table.dropClaim(connection, row, owner)));
            marks.remember(key);
        }
        return completed;
    }

    void release(MessageKey key, String owner) {
        RowKey row = rows.of(key);
        steps.untilDone("release", (table, connection) -> {
            int changed = table.deleteClaim(connection, row, owner);
            return Steps.isDone(changed == 0 ? table.dropClaim(connection, row, owner) : changed);
        });
    }
}
