package dev.idempotency.sample;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.springframework.jms.support.converter.MessageConversionException;
import org.springframework.jms.support.converter.SimpleMessageConverter;
import org.springframework.stereotype.Component;

/** Hands listeners the order out of the envelope. Texts are sent as they are. */
@Component
class EnvelopeMessageConverter extends SimpleMessageConverter {

    private final OrderEnvelopes envelopes;

    EnvelopeMessageConverter(OrderEnvelopes envelopes) {
        this.envelopes = envelopes;
    }

    @Override
    public Object fromMessage(Message message) throws JMSException {
        if (super.fromMessage(message) instanceof String text) {
            return envelopes.read(text);
        }
        throw new MessageConversionException("Message is no text: " + message.getJMSMessageID());
    }
}
