package dev.idempotency.message;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the id of a body that is parsed already: a map, a tree, a record or a bean, or a mixture of them. */
final class ParsedBody {

    private final IdPointer pointer;
    private final boolean trees;
    private final @Nullable RawJson rawJson;

    ParsedBody(IdPointer pointer, boolean trees, @Nullable RawJson rawJson) {
        this.pointer = pointer;
        this.trees = trees;
        this.rawJson = rawJson;
    }

    BodyId read(Object body) {
        if (isTree(body) && !JsonTrees.isObject(body)) {
            return BodyId.NONE;
        }
        if (isFrame(body)) {
            String framed = text(member(body, Envelope.FRAMED));
            return framed == null || rawJson == null ? BodyId.NONE : rawJson.readFramed(framed);
        }
        Object value = body;
        for (String name : pointer.names()) {
            value = value == null ? null : member(value, name);
        }
        String id = MessageIds.fromValue(plain(value));
        return id == null ? BodyId.NONE : new BodyId(isEnvelope(body), id);
    }

    private boolean isEnvelope(Object body) {
        return text(member(body, Envelope.JOB)) != null || text(member(body, Envelope.URN)) != null;
    }

    // Nothing but JSON makes a frame; a bean is not asked for a member of this name.
    private boolean isFrame(Object body) {
        if (!(body instanceof Map<?, ?>) && !isTree(body)) {
            return false;
        }
        Object mark = plain(member(body, Envelope.FRAME));
        if (mark instanceof BigInteger integer) {
            return integer.signum() > 0;
        }
        return (mark instanceof Long || mark instanceof Integer || mark instanceof Short || mark instanceof Byte)
                && ((Number) mark).longValue() > 0;
    }

    private @Nullable String text(@Nullable Object value) {
        return plain(value) instanceof CharSequence text ? MessageIds.fromValue(text) : null;
    }

    private @Nullable Object plain(@Nullable Object value) {
        return value != null && isTree(value) ? JsonTrees.value(value) : value;
    }

    private @Nullable Object member(Object parent, String name) {
        if (isTree(parent)) {
            return JsonTrees.member(parent, name);
        }
        if (parent instanceof Map<?, ?> map) {
            return get(map, name);
        }
        if (parent instanceof List<?> list) {
            int index = IdPointer.indexOf(name);
            return index >= 0 && index < list.size() ? list.get(index) : null;
        }
        return BeanAccessors.member(parent, name);
    }

    // A map need not take a text as a key: a sorted map of numbers throws. It is the application's map, so anything it
    // throws means that it has no such member.
    private static @Nullable Object get(Map<?, ?> map, String name) {
        try {
            return map.get(name);
        } catch (RuntimeException ex) {
            return null;
        }
    }

    private boolean isTree(Object value) {
        return trees && JsonTrees.isTree(value);
    }
}
