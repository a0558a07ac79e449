/** Remembers messages in a table, in the same transaction as the handler's own work where there is one. */
@NullMarked
package dev.idempotency.store.jdbc;

import org.jspecify.annotations.NullMarked;
