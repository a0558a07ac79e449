package dev.idempotency.aop;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AbstractBeanFactoryPointcutAdvisor;

/**
 * Methods that run on another thread than their caller's. Such advice stands outside of the guard, so that only a future
 * can tell the caller that a message has failed or must be delivered again later.
 */
final class AsyncMethods {

    private static final String ASYNC = "org.springframework.scheduling.annotation.Async";

    private AsyncMethods() {}

    /** Returns the cause and what to do, as far as the annotations tell; null if there is none. */
    static @Nullable String fault(Method method, Class<?> beanClass, boolean returnsFuture) {
        return !returnsFuture
                        && (Interceptability.hasAnnotation(method, ASYNC)
                                || Interceptability.hasAnnotation(beanClass, ASYNC))
                ? fault(method)
                : null;
    }

    /** As above, by the advice round a bean: an annotation of the application's own may have brought it. */
    static @Nullable String fault(Method method, Class<?> beanClass, boolean returnsFuture, Object bean) {
        return !returnsFuture
                        && bean instanceof Advised advised
                        && Arrays.stream(advised.getAdvisors()).anyMatch(advisor -> runs(advisor, method, beanClass))
                ? fault(method)
                : null;
    }

    private static String fault(Method method) {
        return "An @Async method that returns " + method.getReturnType().getSimpleName()
                + " cannot be guarded: its caller would not learn that it failed, or must be called again later, and its message would be lost. Remove"
                + " @Async or, where no container calls the method, return CompletableFuture.";
    }

    private static boolean runs(Advisor candidate, Method method, Class<?> beanClass) {
        return candidate instanceof PointcutAdvisor advisor
                && !(advisor
                        instanceof AbstractBeanFactoryPointcutAdvisor) // whose advice is not to be created for this
                && advisor.getAdvice() instanceof AsyncExecutionInterceptor
                && advisor.getPointcut().getClassFilter().matches(beanClass)
                && advisor.getPointcut().getMethodMatcher().matches(method, beanClass);
    }
}
