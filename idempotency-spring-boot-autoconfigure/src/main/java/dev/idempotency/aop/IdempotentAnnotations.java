package dev.idempotency.aop;

import dev.idempotency.Idempotent;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** Where the annotation stands: on the method, on one it overrides or implements, or inside a composed annotation. */
final class IdempotentAnnotations {

    private IdempotentAnnotations() {}

    static boolean isPresent(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, Idempotent.class);
    }

    /** Returns where the annotation of a method is found: on itself, else on the one that it was found by. */
    static Method annotated(Method specific, Method found) {
        return isPresent(specific) ? specific : found;
    }

    static Idempotent get(Method method) {
        Idempotent annotation = AnnotatedElementUtils.findMergedAnnotation(method, Idempotent.class);
        if (annotation == null) {
            throw new IllegalStateException("Method is not guarded: " + method);
        }
        return annotation;
    }

    /** Returns whether a call of the method makes a bean: which is nothing to guard, only to refuse. */
    static boolean makesBean(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, Bean.class);
    }

    /** Returns the annotated methods of a class, those that cannot be guarded included. */
    static Set<Method> methodsOf(Class<?> type) {
        if (!AnnotationUtils.isCandidateClass(type, Idempotent.class)) {
            return Set.of();
        }
        Map<Method, Boolean> methods = MethodIntrospector.selectMethods(
                type, (MethodIntrospector.MetadataLookup<Boolean>) method -> isPresent(method) ? Boolean.TRUE : null);
        return methods.keySet();
    }
}
