package dev.idempotency.scenario;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import org.springframework.jms.support.converter.MessageConversionException;
import org.springframework.jms.support.converter.MessageConverter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A payload that carries no message id: only the raw message can tell its duplicates. */
record OrderCreated(String order) {

    /** Reads the order out of an envelope. */
    static final class Converter implements MessageConverter {

        private final JsonMapper mapper = JsonMapper.builder().build();

        @Override
        public Message toMessage(Object object, Session session) {
            throw new MessageConversionException("not sent here");
        }

        @Override
        public Object fromMessage(Message message) throws JMSException {
            JsonNode body = mapper.readTree(((TextMessage) message).getText());
            return new OrderCreated(body.path("data").path("order").asString());
        }
    }
}
