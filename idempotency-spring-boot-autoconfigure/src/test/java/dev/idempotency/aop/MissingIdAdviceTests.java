package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.idempotency.Idempotent;
import dev.idempotency.MessageIdResolver;
import dev.idempotency.MissingMessageIdException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Kind K6: whoever reads of a message without an id learns where it was looked for, and how to name its place. */
@ExtendWith(OutputCaptureExtension.class)
class MissingIdAdviceTests {

    private static final String PLACES =
            "Looked for in the body at '/key', the headers 'bq-message-id', 'bq_message_id',"
                    + " 'amqp_messageId', 'amqp:message_id', 'MessageId', those of CloudEvents, 'order_id'. Let the producer set"
                    + " one there, or name its place by 'messageId' of " + Listener.class.getName()
                    + "#on, 'idempotency.message-id.headers' or 'idempotency.message-id.json-pointer'.";

    @Test
    void namesPlacesAndCures(CapturedOutput output) {
        application()
                .withPropertyValues(
                        "idempotency.message-id.headers=order_id", "idempotency.message-id.json-pointer=/key")
                .withBean(Listener.class)
                .run(context -> context.getBean(Listener.class).on(Map.of()));
        assertThat(output).containsOnlyOnce(PLACES);
    }

    @Test
    void namesPlacesOnly() {
        application()
                .withPropertyValues(
                        "idempotency.message-id.sources=headers,broker-id", "idempotency.on-missing-id=reject")
                .withBean(Listener.class)
                .run(
                        context -> assertThatExceptionOfType(MissingMessageIdException.class)
                                .isThrownBy(
                                        () -> context.getBean(Listener.class).on(Map.of()))
                                .withMessageContaining(
                                        "Looked for in the headers 'bq-message-id', 'bq_message_id', 'amqp_messageId',"
                                                + " 'amqp:message_id', 'MessageId', those of CloudEvents, the broker's own id."));
    }

    @Test
    void namesExpression(CapturedOutput output) {
        application()
                .withBean(WithExpression.class)
                .run(context -> context.getBean(WithExpression.class).on(Map.of()));
        assertThat(output)
                .containsOnlyOnce("Looked for by 'messageId' of " + WithExpression.class.getName()
                        + "#on alone: \"#order['key']\". Let the producer set what it reads, or correct it");
    }

    @Test
    void namesResolverOfTheUser(CapturedOutput output) {
        application()
                .withBean(MessageIdResolver.class, Nothing::new)
                .withBean(Listener.class)
                .run(context -> context.getBean(Listener.class).on(Map.of()));
        assertThat(output).containsOnlyOnce("Looked for by " + Nothing.class.getName() + ".");
    }

    static class Listener {
        @Idempotent
        public void on(Map<String, Object> order) {}
    }

    static class WithExpression {
        @Idempotent(messageId = "#order['key']")
        public void on(Map<String, Object> order) {}
    }

    static class Nothing implements MessageIdResolver {
        @Override
        public String resolve(Object body, Map<String, ?> headers) {
            return null;
        }
    }
}
