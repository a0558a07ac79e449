package dev.idempotency.aop;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;

/** Why a guarded method cannot return what it returns: there would be nothing to return for a skip, or too early. */
final class ResultTypes {

    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

    // By name: Spring's own registry only knows them where their bridge to Reactor is there, too.
    private static final Set<String> ASYNCHRONOUS =
            Set.of("org.reactivestreams.Publisher", "kotlinx.coroutines.flow.Flow", "kotlinx.coroutines.Job");

    private ResultTypes() {}

    static @Nullable String fault(Method method, Class<?> beanClass) {
        if (isSuspending(method)) {
            return "A suspending function cannot be guarded: it returns before its work is done. Make it blocking.";
        }
        Class<?> type = ResolvableType.forMethodReturnType(method, beanClass).toClass();
        if (type.isPrimitive() && type != void.class) {
            return "It returns " + type.getName() + ", and a skipped call has no value to return. Return void or an"
                    + " object type.";
        }
        if (isAsynchronous(type)) {
            return "It returns " + type.getSimpleName() + ", whose work may go on after the return; that cannot be"
                    + " guarded yet. Return void or the value itself.";
        }
        return null;
    }

    private static boolean isSuspending(Method method) {
        Class<?>[] types = method.getParameterTypes();
        return types.length > 0 && types[types.length - 1].getName().equals(CONTINUATION);
    }

    private static boolean isAsynchronous(Class<?> type) {
        return Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || Flow.Publisher.class.isAssignableFrom(type)
                || isNamedAsynchronous(type)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }

    private static boolean isNamedAsynchronous(@Nullable Class<?> type) {
        if (type == null) {
            return false;
        }
        if (ASYNCHRONOUS.contains(type.getName()) || isNamedAsynchronous(type.getSuperclass())) {
            return true;
        }
        for (Class<?> parent : type.getInterfaces()) {
            if (isNamedAsynchronous(parent)) {
                return true;
            }
        }
        return false;
    }
}
