package dev.idempotency.aop;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/**
 * Hands each call of a guarded method to the guard. Safe for use by many threads.
 *
 * @since 0.1
 */
public final class IdempotentInterceptor implements MethodInterceptor {

    private final GuardedMethods methods;

    /**
     * Creates an interceptor.
     *
     * @param methods the guarded methods
     */
    public IdempotentInterceptor(GuardedMethods methods) {
        this.methods = methods;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        // Two proxy creators put two proxies round a bean: the inner one guards.
        if (target != null && Interception.isAdvised(target)) {
            return invocation.proceed();
        }
        Class<?> targetClass = target != null
                ? AopUtils.getTargetClass(target)
                : invocation.getMethod().getDeclaringClass();
        // The class of a @Configuration bean is a generated one.
        return methods.get(invocation.getMethod(), ClassUtils.getUserClass(targetClass))
                .call(invocation);
    }
}
