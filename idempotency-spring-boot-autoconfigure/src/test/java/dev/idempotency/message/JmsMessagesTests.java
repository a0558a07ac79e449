package dev.idempotency.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;

class JmsMessagesTests {

    private static final String ENVELOPE = "{\"job\":\"urn:x:y\",\"meta\":{\"id\":\"m-1\"}}";

    private final StandardMessageIdResolver resolver =
            StandardMessageIdResolver.builder().build();

    @Test
    void readsText() throws JMSException {
        TextMessage message = mock();
        given(message.getText()).willReturn(ENVELOPE);

        assertThat(JmsMessages.body(message)).isEqualTo(ENVELOPE);
        assertThat(resolver.resolve(message, Map.of())).isEqualTo("m-1");
    }

    @Test
    void readsBytesAndPutsThemBack() throws JMSException {
        BytesMessage message = bytesMessage(ENVELOPE.getBytes(StandardCharsets.UTF_8), ENVELOPE.length());

        assertThat(JmsMessages.body(message)).isEqualTo(ENVELOPE.getBytes(StandardCharsets.UTF_8));
        InOrder order = inOrder(message);
        order.verify(message).reset();
        order.verify(message).readBytes(any());
        order.verify(message).reset();
        assertThat(resolver.resolve(message, Map.of())).isEqualTo("m-1");
    }

    @Test
    void readsBytesUpToTheLimit() throws JMSException {
        BytesMessage message = bytesMessage(new byte[0], 50L * 1024 * 1024 * 1024);

        assertThat((byte[]) JmsMessages.body(message)).isEmpty();
        verify(message).readBytes(org.mockito.ArgumentMatchers.argThat(buffer -> buffer.length == BodyIds.MAX_LENGTH));
    }

    @Test
    void putsBytesBackIfTheyCannotBeRead() throws JMSException {
        BytesMessage message = mock();
        given(message.getBodyLength()).willReturn(3L);
        given(message.readBytes(any())).willThrow(new JMSException("broken"));

        assertThat(JmsMessages.body(message)).isNull();
        InOrder order = inOrder(message);
        order.verify(message).readBytes(any());
        order.verify(message).reset();
    }

    @Test
    void leavesMessageThatIsBeingWritten() throws JMSException {
        BytesMessage message = mock();
        given(message.getBodyLength()).willThrow(new MessageNotReadableException("write mode"));

        assertThat(JmsMessages.body(message)).isNull();
        verify(message, never()).reset();
    }

    @Test
    void readsMap() throws JMSException {
        MapMessage message = mock();
        given(message.getMapNames()).willReturn(Collections.enumeration(List.of("a", "b")));
        given(message.getObject("a")).willReturn(1);

        assertThat(JmsMessages.body(message)).isEqualTo(Map.of("a", 1));
    }

    @Test
    void neverDeserialisesObjects() {
        ObjectMessage object = mock();
        StreamMessage stream = mock();

        assertThat(JmsMessages.body(object)).isNull();
        assertThat(JmsMessages.body(stream)).isNull();
        verifyNoInteractions(object, stream);
    }

    @Test
    void readsPropertiesAsHeaders() throws JMSException {
        Message message = message("bq_message_id", "h-1");
        given(message.getJMSMessageID()).willReturn("ID:1");

        assertThat(JmsMessages.headers(message)).isEqualTo(Map.of("bq_message_id", "h-1", "JMSMessageID", "ID:1"));
        assertThat(resolver.resolve(message("bq_message_id", "h-1"), Map.of())).isEqualTo("h-1");
    }

    @Test
    void takesWhatCannotBeReadForAbsent() throws JMSException {
        TextMessage message = mock();
        given(message.getText()).willThrow(new JMSException("broken"));
        given(message.getPropertyNames()).willReturn(Collections.enumeration(List.of("a", "MessageId")));
        given(message.getObjectProperty("a")).willThrow(new IllegalStateException("broken"));
        given(message.getObjectProperty("MessageId")).willReturn("m");
        given(message.getJMSMessageID()).willThrow(new JMSException("broken"));

        assertThat(JmsMessages.body(message)).isNull();
        assertThat(JmsMessages.headers(message)).isEqualTo(Map.of("MessageId", "m"));
        given(message.getPropertyNames()).willThrow(new JMSException("broken"));
        assertThat(JmsMessages.headers(message)).isEmpty();
        assertThat(resolver.resolve(message, Map.of("MessageId", "given"))).isEqualTo("given");
    }

    @Test
    void usesTheBrokersIdOnlyWhenAskedFor() throws JMSException {
        Message message = mock();
        given(message.getPropertyNames()).willAnswer(call -> Collections.emptyEnumeration());
        given(message.getJMSMessageID()).willReturn("ID:1");

        assertThat(resolver.resolve(message, Map.of())).isNull();
        assertThat(StandardMessageIdResolver.builder()
                        .sources(List.of(MessageIdSource.BROKER_ID))
                        .build()
                        .resolve(message, Map.of()))
                .isEqualTo("ID:1");
    }

    @Test
    void doesNotReadTheBodyUnlessItIsASource() throws JMSException {
        TextMessage message = mock();
        given(message.getPropertyNames()).willReturn(Collections.enumeration(List.of("MessageId")));
        given(message.getObjectProperty("MessageId")).willReturn("m");

        assertThat(StandardMessageIdResolver.builder()
                        .sources(List.of(MessageIdSource.HEADERS))
                        .build()
                        .resolve(message, Map.of()))
                .isEqualTo("m");
        verify(message, never()).getText();
    }

    private static Message message(String property, Object value) throws JMSException {
        Message message = mock();
        given(message.getPropertyNames()).willReturn(Collections.enumeration(List.of(property)));
        given(message.getObjectProperty(property)).willReturn(value);
        return message;
    }

    // Like a provider, reads on from where the last reading ended.
    private static BytesMessage bytesMessage(byte[] body, long length) throws JMSException {
        BytesMessage message = mock();
        int[] position = {body.length};
        given(message.getBodyLength()).willReturn(length);
        willAnswer(call -> position[0] = 0).given(message).reset();
        given(message.readBytes(any())).willAnswer(call -> {
            byte[] buffer = call.getArgument(0);
            int count = Math.min(buffer.length, body.length - position[0]);
            System.arraycopy(body, position[0], buffer, 0, count);
            position[0] += count;
            return count == 0 ? -1 : count;
        });
        return message;
    }
}
