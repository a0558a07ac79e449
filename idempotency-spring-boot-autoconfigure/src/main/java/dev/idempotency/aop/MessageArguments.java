package dev.idempotency.aop;

import dev.idempotency.MessageIdResolver;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedMethod;

/**
 * Which arguments of a guarded method may be the message: the one that is declared the payload, else all that are not
 * declared to be headers, in order. Found by the names of annotations and types, whose library may be absent.
 */
final class MessageArguments {

    private static final String ANNOTATIONS = "org.springframework.messaging.handler.annotation.";
    private static final Set<String> PAYLOAD = Set.of(ANNOTATIONS + "Payload");
    private static final Set<String> HEADERS = Set.of(ANNOTATIONS + "Header", ANNOTATIONS + "Headers");
    private static final Set<String> NO_MESSAGES = Set.of(
            "org.springframework.messaging.MessageHeaders",
            "org.springframework.messaging.support.MessageHeaderAccessor",
            "jakarta.jms.Session");

    private final List<Integer> candidates = new ArrayList<>();

    MessageArguments(Method method) {
        // Sees what the interface declares of its parameters, as the listener adapters do.
        for (MethodParameter parameter : new AnnotatedMethod(method).getMethodParameters()) {
            if (has(parameter, PAYLOAD)) {
                candidates.clear();
                candidates.add(parameter.getParameterIndex());
                return;
            }
            if (!has(parameter, HEADERS) && !isNoMessage(parameter.getParameterType())) {
                candidates.add(parameter.getParameterIndex());
            }
        }
    }

    /** Returns the positions of the arguments that may be the message. */
    List<Integer> candidates() {
        return List.copyOf(candidates);
    }

    /** Returns the id of the first argument that has one; with headers, if the message came with some. */
    @Nullable
    String messageId(@Nullable Object[] arguments, Map<String, ?> headers, MessageIdResolver resolver) {
        for (int candidate : candidates) {
            String id = resolver.resolve(arguments[candidate], headers);
            if (id != null) {
                return id;
            }
        }
        return candidates.isEmpty() && !headers.isEmpty() ? resolver.resolve(null, headers) : null;
    }

    private static boolean has(MethodParameter parameter, Set<String> names) {
        for (Annotation annotation : parameter.getParameterAnnotations()) {
            if (names.contains(annotation.annotationType().getName())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isNoMessage(Class<?> type) {
        Class<?> parent = type;
        while (parent != null) {
            if (NO_MESSAGES.contains(parent.getName())) {
                return true;
            }
            parent = parent.getSuperclass();
        }
        return false;
    }
}
