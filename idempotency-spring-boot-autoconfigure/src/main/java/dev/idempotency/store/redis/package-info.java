/**
 * The store in Redis: one key per message, one script per step.
 */
@NullMarked
package dev.idempotency.store.redis;

import org.jspecify.annotations.NullMarked;
