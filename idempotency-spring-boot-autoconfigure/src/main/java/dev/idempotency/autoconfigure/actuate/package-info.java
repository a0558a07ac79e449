/**
 * Health of the store, for actuators.
 */
@NullMarked
package dev.idempotency.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
