package dev.idempotency.message;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Takes body and headers out of the message types of libraries. Headers that were given beside a message win. */
final class Unwrapper {

    private final boolean springMessages;
    private final boolean jmsMessages;

    Unwrapper() {
        ClassLoader loader = Unwrapper.class.getClassLoader();
        this.springMessages = ClassUtils.isPresent("org.springframework.messaging.Message", loader);
        this.jmsMessages = ClassUtils.isPresent("jakarta.jms.Message", loader);
    }

    /** Unwraps a body. Unless it is asked for, the body of a library's message is not read, its headers are. */
    Unwrapped unwrap(@Nullable Object body, Map<String, ?> headers, boolean readBody) {
        Unwrapped unwrapped = new Unwrapped(body, headers);
        if (body != null && springMessages && SpringMessages.isMessage(body)) {
            unwrapped = new Unwrapped(SpringMessages.payload(body), merge(SpringMessages.headers(body), headers));
        }
        Object inner = unwrapped.body();
        if (inner != null && jmsMessages && JmsMessages.isMessage(inner)) {
            Map<String, ?> all = merge(JmsMessages.headersOf(inner), unwrapped.headers());
            unwrapped = new Unwrapped(readBody ? JmsMessages.bodyOf(inner) : null, all);
        }
        return unwrapped;
    }

    private static Map<String, ?> merge(Map<String, ?> own, Map<String, ?> given) {
        if (given.isEmpty()) {
            return own;
        }
        Map<String, Object> all = new HashMap<>(own);
        all.putAll(given);
        return all;
    }

    /**
     * A message without the library that it came by.
     *
     * @param body the body
     * @param headers the headers
     */
    record Unwrapped(@Nullable Object body, Map<String, ?> headers) {}
}
