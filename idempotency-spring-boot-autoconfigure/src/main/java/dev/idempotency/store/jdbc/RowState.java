package dev.idempotency.store.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * What a statement found of a message.
 *
 * @param inserted whether it was new, and is there now
 * @param busy whether another transaction is at it, so that nothing else is known
 * @param seen whether it has a live mark
 * @param owner who holds a live claim; null if nobody does
 */
record RowState(
        boolean inserted,
        boolean busy,
        boolean seen,
        @Nullable String owner) {

    static final RowState INSERTED = new RowState(true, false, false, null);
    static final RowState BUSY = new RowState(false, true, false, null);
}
