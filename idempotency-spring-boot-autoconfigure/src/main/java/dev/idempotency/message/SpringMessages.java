package dev.idempotency.message;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;

/** Bodies that are Spring's messages. The only class that knows spring-messaging. */
final class SpringMessages {

    private SpringMessages() {}

    static boolean isMessage(@Nullable Object value) {
        return value instanceof Message<?>;
    }

    static Object payload(Object message) {
        return ((Message<?>) message).getPayload();
    }

    static Map<String, Object> headers(Object message) {
        return ((Message<?>) message).getHeaders();
    }
}
