package dev.idempotency.listener;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

// Stands in for the reading of JMS messages in dev.idempotency.message; only JmsDelivery calls it.
final class RawJms {

    private RawJms() {}

    static @Nullable Object body(Message message) {
        try {
            if (message instanceof TextMessage text) {
                return text.getText();
            }
            if (message instanceof BytesMessage bytes) {
                return bytes(bytes);
            }
            return message instanceof MapMessage map ? map(map) : null;
        } catch (JMSException ex) {
            return null;
        }
    }

    static Map<String, Object> headers(Message message) {
        Map<String, Object> headers = new LinkedHashMap<>();
        try {
            Enumeration<?> names = message.getPropertyNames();
            while (names.hasMoreElements()) {
                String name = (String) names.nextElement();
                headers.put(name, message.getObjectProperty(name));
            }
        } catch (JMSException ex) {
            return headers;
        }
        return headers;
    }

    private static byte[] bytes(BytesMessage message) throws JMSException {
        message.reset();
        byte[] content = new byte[Math.toIntExact(message.getBodyLength())];
        message.readBytes(content);
        message.reset();
        return content;
    }

    private static Map<String, Object> map(MapMessage message) throws JMSException {
        Map<String, Object> content = new LinkedHashMap<>();
        Enumeration<?> names = message.getMapNames();
        while (names.hasMoreElements()) {
            String name = (String) names.nextElement();
            content.put(name, message.getObject(name));
        }
        return content;
    }
}
