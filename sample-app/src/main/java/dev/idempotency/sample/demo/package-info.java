/**
 * The whole story without a browser: many orders, more deliveries, and an account of what became of them that does not
 * ask the guard.
 */
@NullMarked
package dev.idempotency.sample.demo;

import org.jspecify.annotations.NullMarked;
