/**
 * The advice: which methods are guarded, where the message is among their arguments, and what a skipped or deferred
 * call returns. Decides nothing.
 */
@NullMarked
package dev.idempotency.aop;

import org.jspecify.annotations.NullMarked;
