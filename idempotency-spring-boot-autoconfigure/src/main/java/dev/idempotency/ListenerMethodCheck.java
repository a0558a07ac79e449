package dev.idempotency;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * What a kind of listener container asks of the guarded methods that it calls. A container binding declares one as a
 * bean; each guarded method is shown to all of them at start-up, before the first message.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface ListenerMethodCheck {

    /**
     * Returns why the guard could not keep its promise for a method.
     *
     * @param method the guarded method
     * @param asynchronous whether it returns before its work is done, as with a future
     * @return the cause, and what to do, as whole sentences; null if there is none, or the method is no listener of this
     *     kind
     */
    @Nullable
    String fault(Method method, boolean asynchronous);
}
