/**
 * The wiring: properties, conditions, the choice of the store, and what the application is told when it cannot start.
 */
@NullMarked
package dev.idempotency.autoconfigure;

import org.jspecify.annotations.NullMarked;
