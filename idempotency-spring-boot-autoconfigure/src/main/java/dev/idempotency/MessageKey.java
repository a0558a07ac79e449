package dev.idempotency;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/**
 * Identifies one message for one consumer: the same event has many listeners, and each of them must run once.
 *
 * <p>Two keys are equal if consumer and message id are equal character by character; nothing is trimmed, folded or
 * rounded. Immutable.
 *
 * @since 0.1
 */
public final class MessageKey {

    private static final int MAX_STORED_BYTES = 255;
    private static final int MAX_SHOWN_CHARS = 80;
    private static final String HASH_PREFIX = "sha256:";

    private final String consumer;
    private final String messageId;
    private final String storedId;

    private MessageKey(String consumer, String messageId) {
        this.consumer = consumer;
        this.messageId = messageId;
        this.storedId = toStoredId(messageId);
    }

    /**
     * Returns the key of a message for a consumer.
     *
     * @param consumer the stable name of the consumer, not blank
     * @param messageId the message id, verbatim and not blank
     * @throws IllegalArgumentException if either is null or blank in the sense of {@link String#isBlank()}
     */
    public static MessageKey of(String consumer, String messageId) {
        return new MessageKey(requireText(consumer, "consumer"), requireText(messageId, "messageId"));
    }

    /** Returns the name of the consumer. */
    public String consumer() {
        return consumer;
    }

    /** Returns the message id, verbatim. This is what people see. */
    public String messageId() {
        return messageId;
    }

    /**
     * Returns the id under which stores keep this message: the message id itself, or {@code sha256:} and the hex
     * digest of its UTF-8 bytes if it is longer than 255 such bytes or itself begins with {@code sha256:}, so that no
     * id can pose as a digest. A text that UTF-8 cannot express, or that holds U+0000, which some databases refuse, is
     * kept as a digest too. Never longer than 255 bytes.
     */
    public String storedId() {
        return storedId;
    }

    private static String toStoredId(String messageId) {
        byte[] utf8 = messageId.getBytes(StandardCharsets.UTF_8);
        boolean storable = utf8.length <= MAX_STORED_BYTES
                && messageId.indexOf('\0') < 0
                && !messageId.startsWith(HASH_PREFIX)
                && isWellFormed(messageId, utf8);
        if (storable) {
            return messageId;
        }
        return HASH_PREFIX + HexFormat.of().formatHex(sha256(encodable(messageId, utf8)));
    }

    // An unpaired surrogate becomes '?' in UTF-8, which would make two ids one.
    private static boolean isWellFormed(String text, byte[] utf8) {
        return text.equals(new String(utf8, StandardCharsets.UTF_8));
    }

    // A charset would replace unpaired surrogates here too, so the code units are taken as they are. No UTF-8 text
    // begins with the byte FF, so that none has the same digest.
    private static byte[] encodable(String text, byte[] utf8) {
        if (isWellFormed(text, utf8)) {
            return utf8;
        }
        ByteBuffer units =
                ByteBuffer.allocate(1 + text.length() * Character.BYTES).put((byte) 0xFF);
        text.chars().forEach(unit -> units.putChar((char) unit));
        return units.array();
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException ex) {
            throw new IllegalStateException("SHA-256 is missing from this Java runtime", ex);
        }
    }

    private static String requireText(String text, String name) {
        if (text == null || text.isBlank()) {
            throw new IllegalArgumentException("'" + name + "' must not be null or blank");
        }
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MessageKey that && consumer.equals(that.consumer) && messageId.equals(that.messageId);
    }

    @Override
    public int hashCode() {
        return Objects.hash(consumer, messageId);
    }

    /** Returns the consumer and the message id for people: the id quoted, escaped and cut at 80 characters. */
    @Override
    public String toString() {
        return consumer + " " + quote(messageId);
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().limit(MAX_SHOWN_CHARS).forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
            } else if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                quoted.append(String.format("\\u%04x", c));
            } else {
                quoted.append((char) c);
            }
        });
        return quoted.append(text.length() > MAX_SHOWN_CHARS ? "…\"" : "\"").toString();
    }
}
