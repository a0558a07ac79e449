package dev.idempotency.message;

import org.jspecify.annotations.Nullable;

/** JSON text, written and read without a JSON library, because ids must be the same whether or not there is one. */
final class JsonString {

    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";
    private static final int HEX_DIGITS = 4;

    private JsonString() {}

    static void encode(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int escape = c == '/' ? -1 : ESCAPED.indexOf(c);
            if (escape >= 0) {
                out.append('\\').append(ESCAPES.charAt(escape));
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    /** Returns the content if the text is wholly one JSON string, else the text itself. */
    static String decode(String text) {
        int end = text.length() - 1;
        if (end < 1 || text.charAt(0) != '"' || text.charAt(end) != '"') {
            return text;
        }
        String content = content(text, end);
        return content == null ? text : content;
    }

    private static @Nullable String content(String text, int end) {
        StringBuilder content = new StringBuilder(end);
        int position = 1;
        while (position < end) {
            char c = text.charAt(position++);
            if (c == '"' || c < ' ') {
                return null;
            }
            if (c != '\\') {
                content.append(c);
                continue;
            }
            int unescaped = position < end ? unescape(text, position, end) : -1;
            if (unescaped < 0) {
                return null;
            }
            content.append((char) unescaped);
            position += text.charAt(position) == 'u' ? 1 + HEX_DIGITS : 1;
        }
        return content.toString();
    }

    // -1 if the character at the position begins no escape
    private static int unescape(String text, int position, int end) {
        char kind = text.charAt(position);
        if (kind != 'u') {
            int escape = ESCAPES.indexOf(kind);
            return escape < 0 ? -1 : ESCAPED.charAt(escape);
        }
        int value = 0;
        for (int i = position + 1; i <= position + HEX_DIGITS; i++) {
            int digit = i < end && text.charAt(i) < 128 ? Character.digit(text.charAt(i), 16) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value * 16 + digit;
        }
        return value;
    }
}
