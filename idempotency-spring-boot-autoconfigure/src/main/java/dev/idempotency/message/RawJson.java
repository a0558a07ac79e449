package dev.idempotency.message;

import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads the id of a body that is JSON text or bytes, token by token: no tree is built, and the work for one body is
 * bounded however large, deep or broken it is. The only class, with its scan, that knows Jackson's parser.
 */
final class RawJson {

    /** Levels of objects and arrays; what is nested deeper is not read on. */
    static final int MAX_DEPTH = 500;

    /** Digits of a number; a body with a longer one is not read on. */
    static final int MAX_NUMBER_LENGTH = 10_000;

    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final IdPointer pointer;
    private final JsonFactory factory;

    RawJson(IdPointer pointer) {
        this.pointer = pointer;
        this.factory = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        .maxNumberLength(MAX_NUMBER_LENGTH)
                        .maxStringLength(BodyIds.MAX_LENGTH)
                        .build())
                // Names of foreign bodies must not pile up in a table that outlives the body.
                .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                .build();
    }

    BodyId read(CharSequence body) {
        return read(body, true);
    }

    BodyId read(byte[] body) {
        int start = startOfObject(body);
        if (start < 0) {
            return BodyId.NONE;
        }
        int length = Math.min(body.length, BodyIds.MAX_LENGTH) - start;
        // Jackson's own decoding replaces malformed bytes, which would make two ids one; a new decoder reports them.
        Reader reader = new InputStreamReader(
                new ByteArrayInputStream(body, start, length), charset(body).newDecoder());
        return scan(reader, true);
    }

    /** Reads the text inside a frame, which is never a frame again. */
    BodyId readFramed(CharSequence body) {
        return read(body, false);
    }

    private BodyId read(CharSequence body, boolean mayBeFrame) {
        int end = Math.min(body.length(), BodyIds.MAX_LENGTH);
        int start = end > 0 && body.charAt(0) == BYTE_ORDER_MARK ? 1 : 0;
        while (start < end && isWhitespace(body.charAt(start))) {
            start++;
        }
        if (start == end || body.charAt(start) != '{') {
            return BodyId.NONE;
        }
        return scan(new BoundedText(body, start, end), mayBeFrame);
    }

    private BodyId scan(Reader reader, boolean mayBeFrame) {
        RawJsonScan scan = new RawJsonScan(pointer, mayBeFrame);
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), reader)) {
            scan.run(parser);
        } catch (JacksonException ex) {
            // Broken, cut or hostile. What was read before that stands; the message is not logged, as it may quote the
            // body.
        }
        if (!scan.isFrame()) {
            return scan.bodyId();
        }
        String framed = scan.framed();
        return framed == null ? BodyId.NONE : readFramed(framed);
    }

    // Most bodies that are no JSON are told by one character, without the cost of a parser and its exception.
    private static int startOfObject(byte[] body) {
        Charset charset = charset(body);
        if (!charset.equals(StandardCharsets.UTF_8)) {
            return 2;
        }
        int end = Math.min(body.length, BodyIds.MAX_LENGTH);
        int start = startsWith(body, 0xEF, 0xBB, 0xBF) ? 3 : 0;
        while (start < end && isWhitespace(body[start])) {
            start++;
        }
        return start < end && body[start] == '{' ? start : -1;
    }

    private static Charset charset(byte[] body) {
        if (startsWith(body, 0xFE, 0xFF)) {
            return StandardCharsets.UTF_16BE;
        }
        return startsWith(body, 0xFF, 0xFE) ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_8;
    }

    private static boolean startsWith(byte[] body, int... mark) {
        if (body.length < mark.length) {
            return false;
        }
        for (int i = 0; i < mark.length; i++) {
            if ((body[i] & 0xFF) != mark[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isWhitespace(int c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }
}
