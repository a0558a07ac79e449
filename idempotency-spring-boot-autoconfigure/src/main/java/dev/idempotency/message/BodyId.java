package dev.idempotency.message;

import org.jspecify.annotations.Nullable;

/**
 * What a body says about its id.
 *
 * @param envelope whether the body is an envelope, whose id wins over every header
 * @param id the id, null if there is no usable one
 */
record BodyId(boolean envelope, @Nullable String id) {

    static final BodyId NONE = new BodyId(false, null);
}
