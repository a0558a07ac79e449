/**
 * Finding the id in a message: in its body, in its headers, or in one value that an expression gave.
 *
 * <p>Every library that a message may come from is optional and is named in one class only.
 */
@NullMarked
package dev.idempotency.message;

import org.jspecify.annotations.NullMarked;
