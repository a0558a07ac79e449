/**
 * The store that keeps marks and claims in the memory of this process.
 */
@NullMarked
package dev.idempotency.store.memory;

import org.jspecify.annotations.NullMarked;
