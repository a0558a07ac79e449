package dev.idempotency.store.jdbc;

import dev.idempotency.Claim;
import dev.idempotency.MessageKey;
import dev.idempotency.MessageState;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the store does to marks: in the transaction of the caller, or each step by itself. */
final class Marks {

    private final Steps steps;
    private final Rows rows;
    private final long retention;

    Marks(Steps steps, Rows rows, long retention) {
        this.steps = steps;
        this.rows = rows;
        this.retention = retention;
    }

    Claim record(MessageKey key) {
        RowKey row = rows.of(key);
        return steps.once("record", Claim.HELD, (table, connection) -> table.record(connection, row, retention));
    }

    /** Records in the order of everyone. If the transaction is lost in the midst of them, all are held. */
    Map<MessageKey, Claim> recordAll(Collection<MessageKey> keys) {
        return steps.onEach(
                "record",
                rows.of(keys),
                Claim.HELD,
                (table, connection, part) -> table.recordAll(connection, part, retention));
    }

    boolean seen(MessageKey key) {
        RowKey row = rows.of(key);
        return steps.untilDone("seen", (table, connection) -> {
            RowState state = table.find(connection, row);
            if (state == null) {
                return false;
            }
            return state.busy() ? null : state.seen();
        });
    }

    Set<MessageKey> seenAmong(Collection<MessageKey> keys) {
        Map<RowKey, MessageKey> asked = rows.of(keys);
        Set<MessageKey> seen = new LinkedHashSet<>();
        for (List<RowKey> part : Rows.parts(asked.keySet())) {
            Map<RowKey, RowState> found = steps.untilDone("seen", (table, connection) -> {
                Map<RowKey, RowState> states = table.findAll(connection, part);
                return states.values().stream().anyMatch(RowState::busy) ? null : states;
            });
            found.forEach((row, state) -> {
                MessageKey key = asked.get(row);
                if (state.seen() && key != null) {
                    seen.add(key);
                }
            });
        }
        return seen;
    }

    boolean remember(MessageKey key) {
        RowKey row = rows.of(key);
        return steps.untilDone("remember", (table, connection) -> table.remember(connection, row, retention));
    }

    Set<MessageKey> rememberAll(Collection<MessageKey> keys) {
        Map<RowKey, MessageKey> asked = rows.of(keys);
        Map<RowKey, Boolean> marked = new LinkedHashMap<>();
        for (List<RowKey> part : Rows.parts(asked.keySet())) {
            marked.putAll(steps.once(
                    "remember", Map.of(), (table, connection) -> table.rememberAll(connection, part, retention)));
        }
        Set<MessageKey> fresh = new LinkedHashSet<>();
        asked.forEach((row, key) -> {
            // What another was at, or what was lost with its transaction, once more by itself.
            Boolean isFresh = marked.get(row);
            if (isFresh != null ? isFresh : remember(key)) {
                fresh.add(key);
            }
        });
        return fresh;
    }

    void forget(MessageKey key) {
        RowKey row = rows.of(key);
        steps.untilDone("forget", (table, connection) -> {
            int changed = table.unmark(connection, row);
            return Steps.isDone(changed == 0 ? table.deleteMark(connection, row) : changed);
        });
    }

    MessageState state(MessageKey key) {
        RowKey row = rows.of(key);
        return steps.untilDone("state", (table, connection) -> table.describe(connection, row));
    }
}
