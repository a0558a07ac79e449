/**
 * Orders and payments: every order is charged once, however often its message arrives.
 */
@NullMarked
package dev.idempotency.sample;

import org.jspecify.annotations.NullMarked;
