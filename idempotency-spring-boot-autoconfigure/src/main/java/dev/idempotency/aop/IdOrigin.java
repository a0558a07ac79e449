package dev.idempotency.aop;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

/** Whose properties a name in an expression means. */
enum IdOrigin {
    /** The root of the expression. */
    RECEIVED,
    /** What the sender, the client and the broker have set. */
    RECEIVED_HEADERS,
    SPRING_MESSAGE,
    SPRING_HEADERS,
    OTHER;

    private static final String MESSAGING = "org.springframework.messaging.";
    private static final String HEADERS_ANNOTATION = MESSAGING + "handler.annotation.Headers";
    private static final String HEADER_ANNOTATION = MESSAGING + "handler.annotation.Header";
    private static final String MESSAGE_TYPE = MESSAGING + "Message";
    private static final Set<String> HEADERS_TYPES =
            Set.of(MESSAGING + "MessageHeaders", MESSAGING + "support.MessageHeaderAccessor");

    // What a header accessor calls its headers.
    private static final Set<String> HEADERS_AS_A_WHOLE =
            Set.of("headers", "messageHeaders", "toMessageHeaders", "toMap");

    static IdOrigin of(MethodParameter parameter) {
        if (TypeNames.isAny(parameter.getParameterType(), Set.of(MESSAGE_TYPE))) {
            return SPRING_MESSAGE;
        }
        boolean headers = annotations(parameter).isPresent(HEADERS_ANNOTATION);
        return headers || TypeNames.isAny(parameter.getParameterType(), HEADERS_TYPES) ? SPRING_HEADERS : OTHER;
    }

    /** Returns the header that a parameter is declared to hold; empty if it has the name of the parameter. */
    static @Nullable String header(MethodParameter parameter) {
        MergedAnnotation<?> header = annotations(parameter).get(HEADER_ANNOTATION);
        return header.isPresent() ? header.getString("name") : null;
    }

    /** Returns where the names after this one belong. */
    IdOrigin after(String name) {
        boolean headers = HEADERS_AS_A_WHOLE.contains(name);
        if (!headers || this == OTHER || this == RECEIVED_HEADERS) {
            return OTHER;
        }
        return this == RECEIVED ? RECEIVED_HEADERS : SPRING_HEADERS;
    }

    /** Returns the cause and what to do if this name, in here, can never be an id. */
    @Nullable
    String fault(String name) {
        for (UnfitId kind : UnfitId.values()) {
            String fault = has(kind) ? kind.fault(name) : null;
            if (fault != null) {
                return fault;
            }
        }
        return null;
    }

    private boolean has(UnfitId kind) {
        if (kind == UnfitId.GENERATED) {
            return this == SPRING_HEADERS;
        }
        return kind != UnfitId.SHARED_IN_HEADERS || this == SPRING_HEADERS || this == RECEIVED_HEADERS;
    }

    private static MergedAnnotations annotations(MethodParameter parameter) {
        return MergedAnnotations.from(parameter.getParameterAnnotations());
    }
}
