package dev.idempotency.message;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads messages as a real provider hands them out, above all those that it streams. */
class JmsMessagesOnArtemisTests {

    private static final String BROKER = "vm://4711";
    private static final EmbeddedActiveMQ broker = new EmbeddedActiveMQ();

    private final StandardMessageIdResolver resolver =
            StandardMessageIdResolver.builder().build();

    @BeforeAll
    static void start() throws Exception {
        broker.setConfiguration(new ConfigurationImpl()
                .setPersistenceEnabled(false)
                .setSecurityEnabled(false)
                .addAcceptorConfiguration("vm", BROKER));
        broker.start();
    }

    @AfterAll
    static void stop() throws Exception {
        broker.stop();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 500_000, 9_000_000})
    void leavesBytesAsTheyWere(int fill) throws Exception {
        byte[] body = ("{\"job\":\"urn:x:y\",\"meta\":{\"id\":\"m-1\"},\"data\":\"" + "x".repeat(fill) + "\"}")
                .getBytes(StandardCharsets.UTF_8);
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(BROKER);
                JMSContext context = factory.createContext()) {
            Queue queue = context.createQueue("bytes-" + fill);
            context.createProducer().send(queue, body);
            try (JMSConsumer consumer = context.createConsumer(queue)) {
                BytesMessage message = (BytesMessage) consumer.receive(5_000);

                assertThat(resolver.resolve(message, Map.of())).isEqualTo("m-1");
                assertThat(resolver.resolve(message, Map.of())).isEqualTo("m-1");
                byte[] left = new byte[(int) message.getBodyLength()];
                assertThat(message.readBytes(left)).isEqualTo(body.length);
                assertThat(left).isEqualTo(body);
            }
        }
    }

    @Test
    void readsTextMapAndProperties() throws Exception {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(BROKER);
                JMSContext context = factory.createContext()) {
            Queue queue = context.createQueue("other");
            context.createProducer().send(queue, "{\"meta\":{\"id\":5}}");
            context.createProducer().send(queue, Map.of("job", "urn:x:y"));
            context.createProducer().setProperty("bq_message_id", "h").send(queue, "text");
            try (JMSConsumer consumer = context.createConsumer(queue)) {
                Message text = consumer.receive(5_000);
                assertThat(resolver.resolve(text, Map.of())).isEqualTo("5");
                assertThat(JmsMessages.headers(text)).containsEntry("JMSMessageID", text.getJMSMessageID());
                assertThat(JmsMessages.body(consumer.receive(5_000))).isEqualTo(Map.of("job", "urn:x:y"));
                assertThat(resolver.resolve(consumer.receive(5_000), Map.of())).isEqualTo("h");
            }
        }
    }
}
