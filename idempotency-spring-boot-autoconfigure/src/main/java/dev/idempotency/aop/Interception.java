package dev.idempotency.aop;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;

/** Whether calls of a bean that exists reach the guard. */
final class Interception {

    private Interception() {}

    /** Returns the cause and what to do; null if the method of the bean is guarded. */
    static @Nullable String fault(String beanName, Object bean, Method method) {
        if (!isAdvised(bean)) {
            return "Bean '" + beanName + "' is not intercepted: it was created before the guard could wrap it. Do not"
                    + " make it a dependency of a post-processor.";
        }
        if (AopUtils.isJdkDynamicProxy(bean) && !isOnInterface(bean, method)) {
            return "Bean '" + beanName + "' is proxied by its interfaces, and none of them has this method. Declare the"
                    + " method on an interface, or remove 'spring.aop.proxy-target-class=false'.";
        }
        return null;
    }

    static boolean isAdvised(Object bean) {
        return guards(bean) > 0;
    }

    /** Returns how often the guard stands round the bean. Others may have put a proxy of their own round a guarded one. */
    static int guards(Object bean) {
        int guards = 0;
        Object candidate = bean;
        while (candidate instanceof Advised advised) {
            if (Arrays.stream(advised.getAdvisors()).anyMatch(IdempotentAdvisor.class::isInstance)) {
                guards++;
            }
            candidate = AopProxyUtils.getSingletonTarget(candidate);
        }
        return guards;
    }

    // The interface may have it under an erased signature.
    private static boolean isOnInterface(Object proxy, Method method) {
        Class<?> targetClass = AopProxyUtils.ultimateTargetClass(proxy);
        Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
        return Arrays.stream(proxy.getClass().getInterfaces())
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .filter(candidate -> candidate.getName().equals(method.getName()))
                .anyMatch(candidate ->
                        AopUtils.getMostSpecificMethod(candidate, targetClass).equals(specific));
    }
}
