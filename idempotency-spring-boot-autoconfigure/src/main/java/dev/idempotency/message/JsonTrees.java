package dev.idempotency.message;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Bodies that are Jackson trees. The only class that knows Jackson's tree. */
final class JsonTrees {

    private JsonTrees() {}

    static boolean isTree(@Nullable Object value) {
        return value instanceof JsonNode;
    }

    static @Nullable Object member(Object tree, String name) {
        JsonNode node = (JsonNode) tree;
        return node.isArray() ? node.get(IdPointer.indexOf(name)) : node.get(name);
    }

    /** Returns the Java value of a text or an integer, whose digits are exact; null for any other node. */
    static @Nullable Object value(Object tree) {
        JsonNode node = (JsonNode) tree;
        if (node.isString()) {
            return node.stringValue();
        }
        return node.isIntegralNumber() ? node.bigIntegerValue() : null;
    }

    static boolean isObject(Object tree) {
        return ((JsonNode) tree).isObject();
    }
}
