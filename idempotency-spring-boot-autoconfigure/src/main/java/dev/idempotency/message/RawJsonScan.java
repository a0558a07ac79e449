package dev.idempotency.message;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * One pass over one JSON body, which ends as soon as the id is certain. Of members with the same name the first counts,
 * since later ones may never be seen. Keeps what it found if the parser fails half-way.
 */
final class RawJsonScan {

    private final IdPointer pointer;
    private final boolean mayBeFrame;
    private boolean pointed;
    private boolean envelope;
    private boolean frame;
    private @Nullable String framed;
    private @Nullable String number;
    private @Nullable String id;

    RawJsonScan(IdPointer pointer, boolean mayBeFrame) {
        this.pointer = pointer;
        this.mayBeFrame = mayBeFrame;
    }

    void run(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            return;
        }
        while (!isDecided() && next(parser) == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            JsonToken value = next(parser);
            readMark(name, value, parser);
            if (!pointed && name.equals(pointer.name(0))) {
                pointed = true;
                descend(value, 1, parser);
            } else {
                parser.skipChildren();
            }
        }
    }

    BodyId bodyId() {
        return id == null ? BodyId.NONE : new BodyId(envelope, id);
    }

    boolean isFrame() {
        return frame;
    }

    @Nullable
    String framed() {
        return framed;
    }

    private boolean isDecided() {
        return (envelope && id != null) || (frame && framed != null);
    }

    // A number has no closing character: where the body is cut, its last digits may be missing. It is the id only once
    // the parser has read something behind it.
    private @Nullable JsonToken next(JsonParser parser) {
        JsonToken token = parser.nextToken();
        if (number != null) {
            id = number;
            number = null;
        }
        return token;
    }

    private void readMark(String name, @Nullable JsonToken value, JsonParser parser) {
        switch (name) {
            case Envelope.JOB, Envelope.URN ->
                envelope |=
                        value == JsonToken.VALUE_STRING && !parser.getString().isBlank();
            case Envelope.FRAME ->
                frame |= mayBeFrame && value == JsonToken.VALUE_NUMBER_INT && isPositive(parser.getString());
            case Envelope.FRAMED -> {
                if (mayBeFrame && framed == null && value == JsonToken.VALUE_STRING) {
                    framed = parser.getString();
                }
            }
            default -> {}
        }
    }

    private static boolean isPositive(String integer) {
        return !integer.startsWith("-") && !integer.equals("0");
    }

    private void descend(@Nullable JsonToken value, int depth, JsonParser parser) {
        if (depth == pointer.depth()) {
            take(value, parser);
        } else if (value == JsonToken.START_OBJECT) {
            descendObject(depth, parser);
        } else if (value == JsonToken.START_ARRAY) {
            descendArray(depth, parser);
        }
    }

    private void descendObject(int depth, JsonParser parser) {
        boolean found = false;
        while (!isDecided() && next(parser) == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            JsonToken value = next(parser);
            if (!found && name.equals(pointer.name(depth))) {
                found = true;
                descend(value, depth + 1, parser);
            } else {
                parser.skipChildren();
            }
        }
    }

    private void descendArray(int depth, JsonParser parser) {
        int wanted = pointer.index(depth);
        JsonToken value = next(parser);
        for (int i = 0; !isDecided() && value != null && value != JsonToken.END_ARRAY; i++) {
            if (i == wanted) {
                descend(value, depth + 1, parser);
            } else {
                parser.skipChildren();
            }
            value = isDecided() ? null : next(parser);
        }
    }

    private void take(@Nullable JsonToken value, JsonParser parser) {
        if (value == JsonToken.VALUE_STRING) {
            id = MessageIds.fromValue(parser.getString());
        } else if (value == JsonToken.VALUE_NUMBER_INT) {
            number = parser.getString();
        } else {
            parser.skipChildren();
        }
    }
}
