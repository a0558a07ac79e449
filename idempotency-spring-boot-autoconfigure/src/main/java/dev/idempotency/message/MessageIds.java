package dev.idempotency.message;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Turns Java values into message ids.
 *
 * <p>Equal values give equal ids and different values of one kind give different ids: nothing is trimmed, folded,
 * rounded or replaced. A value that cannot be an id gives null, never an exception. Safe for use by many threads.
 *
 * @since 0.1
 */
public final class MessageIds {

    private MessageIds() {}

    /**
     * Returns a value as an id: text verbatim, {@code Byte}, {@code Short}, {@code Integer}, {@code Long} and
     * {@code BigInteger} as an optional minus and digits, a {@code UUID} in its usual form, bytes as the UTF-8 text
     * they hold.
     *
     * @param value the value, may be null
     * @return the id; null if the value is of any other type, blank in the sense of {@link String#isBlank()}, or bytes
     *     that are not well-formed UTF-8
     */
    public static @Nullable String fromValue(@Nullable Object value) {
        String text = toText(value);
        return text == null || text.isBlank() ? null : text;
    }

    /**
     * Returns several values as one id: the compact JSON array of their texts, such as {@code ["/a","1"]}, so that no
     * two lists of parts give the same id.
     *
     * @param parts the parts, each of a type that {@link #fromValue(Object)} takes
     * @return the id; null if there is no part, or if one of them is no usable id
     */
    public static @Nullable String fromParts(Collection<?> parts) {
        StringBuilder array = new StringBuilder("[");
        for (Object part : parts) {
            String text = fromValue(part);
            if (text == null) {
                return null;
            }
            array.append(array.length() == 1 ? "" : ",");
            JsonString.encode(text, array);
        }
        return array.length() == 1 ? null : array.append(']').toString();
    }

    /**
     * Returns several values as one id, as {@link #fromParts(Collection)} does.
     *
     * @param parts the parts
     * @return the id; null if there is no part, or if one of them is no usable id
     */
    public static @Nullable String fromParts(@Nullable Object[] parts) {
        return fromParts(Arrays.asList(parts));
    }

    private static @Nullable String toText(@Nullable Object value) {
        if (value instanceof byte[] bytes) {
            return decode(bytes);
        }
        return value != null && hasExactText(value) ? value.toString() : null;
    }

    private static boolean hasExactText(Object value) {
        return value instanceof CharSequence
                || value instanceof UUID
                || value instanceof Long
                || value instanceof Integer
                || value instanceof Short
                || value instanceof Byte
                || value instanceof BigInteger;
    }

    // A lenient decoder would put the same replacement character for different bytes, and so make two ids one.
    private static @Nullable String decode(byte[] utf8) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException ex) {
            return null;
        }
    }
}
