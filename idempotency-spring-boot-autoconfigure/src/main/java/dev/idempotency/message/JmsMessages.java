package dev.idempotency.message;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads JMS messages so that nobody notices: a listener finds the message as the broker delivered it.
 *
 * <p>Never throws; what cannot be read is absent, which is logged at DEBUG. As safe for use by many threads as the
 * message itself.
 *
 * @since 0.1
 */
public final class JmsMessages {

    private static final Logger log = LoggerFactory.getLogger(JmsMessages.class);

    private static final String MESSAGE_ID = "JMSMessageID";

    private JmsMessages() {}

    /**
     * Returns the body of a message.
     *
     * @param message the message
     * @return text, bytes (a long body is cut at 8 MiB) or a map; null if there is none, if it cannot be read, and for
     *     object and stream messages: an object would have to be deserialised, a stream has no members
     */
    public static @Nullable Object body(Message message) {
        return read("body", () -> {
            if (message instanceof TextMessage text) {
                return text.getText();
            }
            if (message instanceof BytesMessage bytes) {
                return bytes(bytes);
            }
            return message instanceof MapMessage map ? map(map) : null;
        });
    }

    /**
     * Returns the properties of a message, with the id that the broker gave it as {@code JMSMessageID}.
     *
     * @param message the message
     * @return the properties by name, in a map of their own; those that cannot be read are not in it
     */
    public static Map<String, Object> headers(Message message) {
        Map<String, Object> headers = new HashMap<>();
        read("properties", () -> {
            Enumeration<?> names = message.getPropertyNames();
            while (names.hasMoreElements()) {
                String name = names.nextElement().toString();
                put(headers, name, read("property", () -> message.getObjectProperty(name)));
            }
            return headers;
        });
        put(headers, MESSAGE_ID, read(MESSAGE_ID, message::getJMSMessageID));
        return headers;
    }

    static boolean isMessage(@Nullable Object value) {
        return value instanceof Message;
    }

    static @Nullable Object bodyOf(Object message) {
        return body((Message) message);
    }

    static Map<String, Object> headersOf(Object message) {
        return headers((Message) message);
    }

    // A message that is still being written throws at the question for its length, before anything is changed.
    private static byte[] bytes(BytesMessage message) throws JMSException {
        long length = message.getBodyLength();
        byte[] bytes = new byte[(int) Math.min(length, BodyIds.MAX_LENGTH)];
        message.reset();
        try {
            int count = bytes.length == 0 ? 0 : message.readBytes(bytes);
            return count == bytes.length ? bytes : Arrays.copyOf(bytes, Math.max(count, 0));
        } finally {
            message.reset();
        }
    }

    private static Map<String, Object> map(MapMessage message) throws JMSException {
        Map<String, Object> members = new HashMap<>();
        Enumeration<?> names = message.getMapNames();
        while (names.hasMoreElements()) {
            String name = names.nextElement().toString();
            put(members, name, message.getObject(name));
        }
        return members;
    }

    private static void put(Map<String, Object> target, String name, @Nullable Object value) {
        if (value != null) {
            target.put(name, value);
        }
    }

    // Providers throw more than the interface says, and a message that one cannot read must still reach its listener.
    private static @Nullable Object read(String part, Reading reading) {
        try {
            return reading.run();
        } catch (JMSException | RuntimeException ex) {
            // Only the kind of the cause: its message may quote the body.
            log.debug(
                    "JMS message read without its {}: {}.", part, ex.getClass().getName());
            return null;
        }
    }

    private interface Reading {
        @Nullable
        Object run() throws JMSException;
    }
}
