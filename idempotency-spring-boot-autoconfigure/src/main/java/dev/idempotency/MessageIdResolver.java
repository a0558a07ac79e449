package dev.idempotency;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the id by which duplicates of a message are told.
 *
 * <p>An id must be the same for every delivery of a message and differ between messages. Correlation and trace ids,
 * offsets, delivery tags and ids that are generated on receipt are none.
 *
 * <p>Implementations are safe for use by many threads and do bounded work; what they throw counts as no usable id.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface MessageIdResolver {

    /**
     * Returns the id of a message, verbatim.
     *
     * @param body the body as received, or as converted for the handler where that is all there is; null if there is
     *     none
     * @param headers the headers of the message, never null
     * @return the id; null if there is no usable one
     */
    @Nullable
    String resolve(@Nullable Object body, Map<String, ?> headers);
}
