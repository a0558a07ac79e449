package dev.idempotency.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.messaging.MessageHeaders;

class HeaderIdsTests {

    private final StandardMessageIdResolver resolver =
            StandardMessageIdResolver.builder().headers(List.of("x-id", "y-id")).build();

    @Test
    void triesNamesInOrder() {
        Map<String, Object> headers = new LinkedHashMap<>();
        headers.put("y-id", "y");
        headers.put("x-id", "x");
        headers.put("cloudEvents:id", "4");
        headers.put("cloudEvents:source", "s");
        headers.put("cloudEvents_id", "3");
        headers.put("cloudEvents_source", "s");
        headers.put("ce-id", "2");
        headers.put("ce-source", "s");
        headers.put("ce_id", "1");
        headers.put("ce_source", "s");
        headers.put("MessageId", "m");
        headers.put("amqp:message_id", "a2");
        headers.put("amqp_messageId", "a1");
        headers.put("bq_message_id", "b2");
        headers.put("bq-message-id", "b1");

        List<String> names = new ArrayList<>(headers.keySet());
        Collections.reverse(names);
        Set<@Nullable String> found = new LinkedHashSet<>();
        for (String name : names) {
            found.add(find(headers));
            headers.remove(name);
        }
        assertThat(found)
                .containsExactly(
                        "b1",
                        "b2",
                        "a1",
                        "a2",
                        "m",
                        "[\"s\",\"1\"]",
                        "[\"s\",\"2\"]",
                        "[\"s\",\"3\"]",
                        "[\"s\",\"4\"]",
                        "x",
                        "y");
    }

    @Test
    void takesCloudEventOfOneBindingOnly() {
        assertThat(find(Map.of("ce_source", "/a", "ce-id", "1"))).isNull();
        assertThat(find(Map.of("ce_source", " ", "ce_id", "1"))).isNull();
        assertThat(find(Map.of("ce_source", "/a"))).isNull();
    }

    @Test
    void decodesQuotedPartsOfCloudEvent() {
        assertThat(find(Map.of("ce_source", "\"/a\"", "ce_id", bytes("\"1\"")))).isEqualTo("[\"/a\",\"1\"]");
    }

    @Test
    @DisplayName("O46")
    void readsTextBytesAndNumbers() {
        assertThat(find(Map.of("bq-message-id", "abc"))).isEqualTo("abc");
        assertThat(find(Map.of("bq-message-id", bytes("abc")))).isEqualTo("abc");
        assertThat(find(Map.of("bq-message-id", 42L))).isEqualTo("42");
        assertThat(find(Map.of("bq-message-id", new BigInteger("90071992547409931234"))))
                .isEqualTo("90071992547409931234");
        assertThat(find(Map.of("bq-message-id", 1.0))).isNull();
        assertThat(find(Map.of("bq-message-id", new int[] {1}))).isNull();
        byte[] longBytes = ByteBuffer.allocate(8).putLong(Long.MIN_VALUE).array();
        assertThat(find(Map.of("bq-message-id", longBytes))).isNull();
    }

    @Test
    @DisplayName("O46")
    void takesLastOfRepeatedHeader() {
        assertThat(find(Map.of("bq-message-id", List.of(bytes("old"), bytes("new")))))
                .isEqualTo("new");
        assertThat(find(Map.of("bq-message-id", new Object[] {"old", 7}))).isEqualTo("7");
        assertThat(find(Map.of("bq-message-id", new String[] {"old", "\"new\""})))
                .isEqualTo("new");
        assertThat(find(Map.of("bq-message-id", List.of("old", " ")))).isNull();
        assertThat(find(Map.of("bq-message-id", List.of()))).isNull();
        assertThat(find(Map.of("bq-message-id", Arrays.asList("old", null)))).isNull();
    }

    @Test
    @DisplayName("O47")
    void readsQuotedAndRawTextAsOneId() {
        assertThat(find(Map.of("bq-message-id", "\"h-1\""))).isEqualTo("h-1");
        assertThat(find(Map.of("bq-message-id", bytes("\"h\\u002d1\"")))).isEqualTo("h-1");
        assertThat(find(Map.of("bq-message-id", "\"\\\"h-1\\\"\""))).isEqualTo("\"h-1\"");
        assertThat(find(Map.of("bq-message-id", "\" h-1\""))).isEqualTo(" h-1");
        assertThat(find(Map.of("bq-message-id", "\" \"", "MessageId", "m"))).isEqualTo("m");
    }

    @Test
    @DisplayName("O43")
    void passesBlankHeaderOver() {
        Map<String, @Nullable Object> headers = new HashMap<>();
        headers.put("bq-message-id", null);
        headers.put("amqp_messageId", "\t");
        headers.put("MessageId", bytes(" "));
        headers.put("x-id", " x ");

        assertThat(find(headers)).isEqualTo(" x ");
    }

    @Test
    @DisplayName("O37, O49")
    void ignoresGeneratedAndSharedIds() {
        Map<String, Object> headers = new HashMap<>();
        headers.put("id", UUID.randomUUID());
        for (String name : List.of(
                "correlationId",
                "amqp_correlationId",
                "kafka_correlationId",
                "JMSCorrelationID",
                "jms_correlationId")) {
            headers.put(name, "c");
        }
        for (String name : List.of("traceparent", "b3", "bq-trace-id", "kafka_offset", "amqp_deliveryTag")) {
            headers.put(name, "t");
        }
        headers.put("JMSMessageID", "ID:1");
        headers.put("jms_messageId", "ID:1");
        headers.put("BQ-MESSAGE-ID", "case");

        assertThat(find(headers)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                MessageHeaders.ID,
                "correlationId",
                "amqp_correlationId",
                "kafka_correlationId",
                "JMSCorrelationID",
                "traceparent",
                "bq-trace-id",
                "amqp_deliveryTag",
                "kafka_offset"
            })
    @DisplayName("O37, O49")
    void refusesFurtherHeaderThatCannotIdentify(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StandardMessageIdResolver.builder().headers(List.of("ok", name)))
                .withMessageContaining("'" + name + "'")
                .withMessageContaining("idempotency.message-id.headers");
    }

    @Test
    void takesBrokerIdLastAndOnlyWhenAskedFor() {
        StandardMessageIdResolver withBrokerId = StandardMessageIdResolver.builder()
                .sources(List.of(MessageIdSource.BROKER_ID, MessageIdSource.HEADERS, MessageIdSource.BODY))
                .build();
        Map<String, Object> headers = new HashMap<>(Map.of("JMSMessageID", "ID:1", "MessageId", "m"));
        String foreign = "{\"meta\":{\"id\":\"f\"}}";

        assertThat(withBrokerId.resolve(foreign, headers)).isEqualTo("m");
        headers.remove("MessageId");
        assertThat(withBrokerId.resolve(foreign, headers)).isEqualTo("f");
        assertThat(withBrokerId.resolve("text", headers)).isEqualTo("ID:1");
        assertThat(withBrokerId.resolve(null, Map.of("jms_messageId", "ID:2"))).isEqualTo("ID:2");
        assertThat(resolver.resolve("text", headers)).isNull();
    }

    private @Nullable String find(Map<String, ?> headers) {
        return resolver.resolve("plain text", headers);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
