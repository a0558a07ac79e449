package dev.idempotency.message;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Finds the id in a body of any kind. Without a JSON library, JSON that is not parsed yet has none. */
final class BodyIds {

    /** Bytes of a byte body, characters of a text, that are looked at; an id that comes later is not found. */
    static final int MAX_LENGTH = 8 * 1024 * 1024;

    private final @Nullable RawJson rawJson;
    private final ParsedBody parsedBody;

    BodyIds(IdPointer pointer) {
        ClassLoader loader = BodyIds.class.getClassLoader();
        this.rawJson =
                ClassUtils.isPresent("tools.jackson.core.json.JsonFactory", loader) ? new RawJson(pointer) : null;
        boolean trees = ClassUtils.isPresent("tools.jackson.databind.JsonNode", loader);
        this.parsedBody = new ParsedBody(pointer, trees, rawJson);
    }

    boolean readsJson() {
        return rawJson != null;
    }

    BodyId find(@Nullable Object body) {
        if (body == null) {
            return BodyId.NONE;
        }
        if (body instanceof CharSequence text) {
            return rawJson == null ? BodyId.NONE : rawJson.read(text);
        }
        if (body instanceof byte[] bytes) {
            return rawJson == null ? BodyId.NONE : rawJson.read(bytes);
        }
        return parsedBody.read(body);
    }
}
