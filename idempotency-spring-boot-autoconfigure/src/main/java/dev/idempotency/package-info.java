/**
 * The public API: the annotation, the key, the three store types, outcomes and the seam to message containers.
 *
 * <p>Nothing here depends on a framework; everything else in the product depends on this.
 */
@NullMarked
package dev.idempotency;

import org.jspecify.annotations.NullMarked;
