package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.faultsOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Idempotent;
import dev.idempotency.fixture.RecordingOutcomes;
import dev.idempotency.fixture.TestDelivery;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.messaging.support.MessageHeaderAccessor;

/** Kind K6: an expression that reads what can never be the id of one message ends the start (O37, O49). */
class GeneratedIdsTests {

    private static final String SHARED =
            "', so that all but the first would be skipped. Name the id of the message itself.";
    private static final String NEW = " is new for each delivery, so that no duplicate would be found.";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "#order.correlationId|correlationId",
                "#p0.correlationId|correlationId",
                "#order?.correlationId|correlationId",
                "#order.getCorrelationId()|correlationId",
                "#order.correlationId()|correlationId",
                "#order.meta['correlation_id']|correlation_id",
                "#order.getMeta().get('CorrelationID').toString()|CorrelationID",
                "#order.at('/meta/traceId')|traceId",
                "#order.path('spanId').asText()|spanId",
                "headers['correlationId']|correlationId",
                "headers[correlationId]|correlationId",
                "headers.correlationId|correlationId",
                "headers.get('correlationId')|correlationId",
                "headers['X-Correlation-ID']|X-Correlation-ID",
                "headers['amqp_correlationId']|amqp_correlationId",
                "headers['jms_correlationId']|jms_correlationId",
                "headers['JMSCorrelationID']|JMSCorrelationID",
                "headers['kafka_correlationId']|kafka_correlationId",
                "#order.getJMSCorrelationID()|JMSCorrelationID",
                "headers['traceparent']|traceparent",
                "headers['X-B3-TraceId']|X-B3-TraceId",
                "headers['b3']|b3",
                "#root.headers.b3|b3",
                "getHeaders()['b3']|b3",
                "headers['trace_id']|trace_id",
                "{'acme', headers['traceId']}|traceId",
                "#order.id + '-' + #order.traceId|traceId",
                "'a'.concat(#order.traceId)|traceId",
                "#order.ids.get(#order.traceId)|traceId",
                "#order.id ?: #order.traceId|traceId",
                "#order.id != null ? #order.id : #order.traceId|traceId",
                "#order.lines.![traceId]|traceId",
                "#correlationId|correlationId",
                "#p1|correlationId"
            })
    void refusesWhatManyMessagesShare(String expression, String name) {
        assertThat(faultOf(PlainListener.class, expression)).isEqualTo("Many messages share '" + name + SHARED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "deliveryTag",
                "amqp_deliveryTag",
                "JMSXDeliveryCount",
                "jms_redelivered",
                "x-delivery-count",
                "kafka_deliveryAttempt"
            })
    void refusesWhatTheBrokerCounts(String name) {
        assertThat(faultOf(PlainListener.class, "headers['" + name + "']")).startsWith("'" + name + "'" + NEW);
    }

    @ParameterizedTest
    @ValueSource(strings = {"kafka_offset", "x-stream-offset"})
    void refusesThePlaceOfACopy(String name) {
        assertThat(faultOf(PlainListener.class, "headers['" + name + "']"))
                .isEqualTo("'" + name + "' is the place of one copy: another copy has another, and a message elsewhere"
                        + " has the same. Name the id of the message itself.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "T(java.util.UUID).randomUUID()|T(java.util.UUID).randomUUID()",
                "T(java.util.UUID).randomUUID().toString()|T(java.util.UUID).randomUUID()",
                "{#order.id, T(System).currentTimeMillis()}|T(System).currentTimeMillis()",
                "#order.id + T(java.lang.System).nanoTime()|T(java.lang.System).nanoTime()",
                "#order.id ?: T(java.time.Instant).now().toString()|T(java.time.Instant).now()",
                "@ids.of(T(Math).random())|T(Math).random()",
                "T(java.util.concurrent.ThreadLocalRandom).current().nextLong()|"
                        + "T(java.util.concurrent.ThreadLocalRandom).current()",
                "T(java.time.Clock).systemUTC().millis()|T(java.time.Clock).systemUTC()",
                "T(System).identityHashCode(#order)|T(System).identityHashCode(#order)",
                "new java.util.Date().time|new java.util.Date()",
                "{#order.id, new java.util.Random().nextLong()}|new java.util.Random()"
            })
    void refusesWhatIsMadeAnew(String expression, String what) {
        assertThat(faultOf(PlainListener.class, expression))
                .isEqualTo(what + NEW + " Name an id that the sender has set.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"#order.hashCode()", "{'acme', body.hashCode()}"})
    void refusesHash(String expression) {
        assertThat(faultOf(PlainListener.class, expression))
                .startsWith("Different messages may have the same hashCode()");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#message.headers.id",
                "#p0.headers.id",
                "#message.headers?.id",
                "#message.headers['id']",
                "#message.getHeaders().getId()",
                "#message.headers.get('id').toString()",
                "{'acme', #a0.headers.id}",
                "#generic.headers.id",
                "#headers.id",
                "#headers.getId()",
                "#headers['id']",
                "#accessor.id",
                "#accessor.getHeader('id')",
                "#accessor.messageHeaders.id",
                "#accessor.toMap()['id']",
                "#map.id",
                "#map['id']",
                "#map.get('id')",
                "#named",
                "#p5",
                "#constant",
                "#id",
                "@ids.of(#id)"
            })
    void refusesIdThatSpringGenerates(String expression) {
        assertThat(faultOf(SpringListener.class, expression))
                .isEqualTo("Spring makes 'id' anew for each delivery, so that no duplicate would be found. Name an id"
                        + " that the sender has set; a header of the sender's own is headers['id'].");
    }

    @ParameterizedTest
    @ValueSource(strings = {"#message.headers.timestamp", "#headers.getTimestamp()", "#time", "#map['timestamp']"})
    void refusesTimeThatSpringGenerates(String expression) {
        assertThat(faultOf(SpringListener.class, expression)).startsWith("Spring makes 'timestamp' anew");
    }

    @ParameterizedTest
    @ValueSource(strings = {"#shared", "#message.headers['b3']", "#map['b3']"})
    void refusesWhatManyMessagesShareAmongSpringsHeaders(String expression) {
        assertThat(faultOf(SpringListener.class, expression)).startsWith("Many messages share '");
    }

    @Test
    void seesWhatTheInterfaceDeclaresOfParameters() {
        assertThat(faultOf(DeclaredListener.class, "#value")).startsWith("Spring makes 'id' anew");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#order.id",
                "#order.timestamp",
                "#order.headers.id",
                "#order.headers['id']",
                "#order.orderTraceability",
                "#order.correlationIdentity",
                "#order.cells.b3",
                "#order.offset",
                "#order.now()",
                "#order.random()",
                "#order.correlationId != null ? #order.id : #order.number",
                "#order.lines.?[traceId == 'x'].![sku]",
                "{'correlationId', #order.id}",
                "#order.id.concat('traceId')",
                "T(java.util.UUID).fromString(#order.id)",
                "new java.util.Date(#order.number).time",
                "@ids.of(#order)",
                "headers['JMSMessageID']",
                "headers.id",
                "headers['id']",
                "#root.headers['id']",
                "body['id']"
            })
    void allowsIdsOfTheSender(String expression) {
        assertStarts(PlainListener.class, expression);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"#message.payload.id", "#message.headers['orderId']", "#map.orderId", "#own", "headers['id']"})
    void allowsOtherHeadersOfSpringsMessages(String expression) {
        assertStarts(SpringListener.class, expression);
    }

    @Test
    void judgesHeaderByItsOwnNameAndNotByThatOfTheParameter() {
        assertStarts(RenamedListener.class, "#correlationId");
    }

    @Test
    void readsTheSendersOwnHeaderOfThatName() {
        application()
                .withPropertyValues("expression=headers['id']")
                .withBean(PlainListener.class)
                .run(context -> {
                    PlainListener listener = context.getBean(PlainListener.class);
                    new TestDelivery("raw", Map.of("id", "own"), null).deliver(() -> {
                        listener.on("payload", "c");
                        return null;
                    });
                    assertThat(context.getBean(RecordingOutcomes.class).messageIds())
                            .containsExactly("own");
                });
    }

    private static void assertStarts(Class<?> listener, String expression) {
        application()
                .withPropertyValues("expression=" + expression)
                .withBean("ids", Ids.class)
                .withUserConfiguration(listener)
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static String faultOf(Class<?> listener, String expression) {
        StringBuilder fault = new StringBuilder();
        application()
                .withPropertyValues("expression=" + expression)
                .withBean("ids", Ids.class)
                .withUserConfiguration(listener)
                .run(context -> {
                    String start = listener.getName() + "#on: Attribute 'messageId': \"" + expression + "\". ";
                    assertThat(faultsOf(context)).singleElement().asString().startsWith(start);
                    fault.append(faultsOf(context).get(0).substring(start.length()));
                });
        return fault.toString();
    }

    public static class Ids {
        public String of(Object value) {
            return String.valueOf(value);
        }
    }

    static class PlainListener {
        @Idempotent(messageId = "${expression}")
        public void on(Object order, String correlationId) {}
    }

    static class SpringListener {
        @Idempotent(messageId = "${expression}")
        public void on(
                Message<?> message,
                GenericMessage<String> generic,
                MessageHeaders headers,
                MessageHeaderAccessor accessor,
                @Headers Map<String, Object> map,
                @Header("id") String named,
                @Header(name = MessageHeaders.ID) UUID constant,
                @Header UUID id,
                @Header("timestamp") long time,
                @Header("amqp_correlationId") String shared,
                @Header("orderId") String own) {}
    }

    static class RenamedListener {
        @Idempotent(messageId = "${expression}")
        public void on(@Header("orderId") String correlationId) {}
    }

    interface Declared {
        void on(@Header("id") String value);
    }

    static class DeclaredListener implements Declared {
        @Override
        @Idempotent(messageId = "${expression}")
        public void on(String value) {}
    }
}
