package dev.idempotency.autoconfigure;

import dev.idempotency.Idempotent;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** A final class ends the start before its methods can be looked at, and Spring does not say who wanted the proxy. */
final class FinalClassFailureAnalyzer extends AbstractFailureAnalyzer<AopConfigException> {

    private static final Pattern CLASS = Pattern.compile("subclass of class (\\S+):");
    private static final MetadataLookup<Boolean> ANNOTATED =
            method -> AnnotatedElementUtils.hasAnnotation(method, Idempotent.class) ? Boolean.TRUE : null;

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, AopConfigException cause) {
        Class<?> type = classIn(String.valueOf(cause.getMessage()));
        if (type == null || !Modifier.isFinal(type.getModifiers())) {
            return null;
        }
        List<String> faults = MethodIntrospector.selectMethods(type, ANNOTATED).keySet().stream()
                .map(Method::getName)
                .distinct()
                .sorted()
                .map(name -> type.getName() + "#" + name + ": Its class is final, so that no proxy can extend it.")
                .toList();
        return faults.isEmpty()
                ? null
                : new FailureAnalysis(
                        InvalidIdempotentMethodsFailureAnalyzer.description(faults),
                        "Make the class open to extension: remove 'final', make a record a class, open the class in"
                                + " Kotlin or by its compiler plugin for Spring. Or guard the handling by"
                                + " IdempotencyTemplate.execute.",
                        cause);
    }

    private static @Nullable Class<?> classIn(String message) {
        Matcher matcher = CLASS.matcher(message);
        String name = matcher.find() ? matcher.group(1) : null;
        ClassLoader loader = ClassUtils.getDefaultClassLoader();
        return name != null && ClassUtils.isPresent(name, loader) ? ClassUtils.resolveClassName(name, loader) : null;
    }
}
