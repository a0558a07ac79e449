package dev.idempotency.store.redis;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What came back for a batch.
 *
 * @param byMessage the answers that came
 * @param failure why others did not; null if all did
 */
record ScriptAnswers<M>(Map<M, Long> byMessage, @Nullable RuntimeException failure) {

    /** Returns the answers, if none is missing. */
    Map<M, Long> all() {
        if (failure != null) {
            throw failure;
        }
        return byMessage;
    }

    /** Returns the answers, if any came. */
    Map<M, Long> known() {
        return byMessage.isEmpty() ? all() : byMessage;
    }
}
