/**
 * The decision: whether a message is handled, skipped or given back, and when it is marked.
 */
@NullMarked
package dev.idempotency.core;

import org.jspecify.annotations.NullMarked;
