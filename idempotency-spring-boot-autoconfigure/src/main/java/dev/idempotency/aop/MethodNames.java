package dev.idempotency.aop;

import java.lang.reflect.Method;
import org.springframework.util.ClassUtils;

/** How a method is named to people: {@code Class#method}. */
final class MethodNames {

    private MethodNames() {}

    static String of(Method method) {
        return of(ClassUtils.getUserClass(method.getDeclaringClass()), method.getName());
    }

    static String of(Class<?> type, String method) {
        return type.getName() + "#" + method;
    }
}
