/**
 * Outcomes and store operations as meters.
 */
@NullMarked
package dev.idempotency.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
