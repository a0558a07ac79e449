package dev.idempotency.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

import jakarta.jms.TextMessage;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.messaging.support.MessageBuilder;

@ExtendWith(OutputCaptureExtension.class)
class StandardMessageIdResolverTests {

    private static final String ENVELOPE = "{\"job\":\"urn:x:y\",\"meta\":{\"id\":\"m-1\"}}";
    private static final String FOREIGN = "{\"meta\":{\"id\":\"f-1\"}}";

    private final StandardMessageIdResolver resolver =
            StandardMessageIdResolver.builder().build();

    @Test
    void prefersEnvelopeThenHeadersThenForeignBody() {
        assertThat(resolver.resolve(ENVELOPE, Map.of("bq-message-id", "h"))).isEqualTo("m-1");
        assertThat(resolver.resolve(FOREIGN, Map.of("bq-message-id", "h"))).isEqualTo("h");
        assertThat(resolver.resolve(FOREIGN, Map.of())).isEqualTo("f-1");
        assertThat(resolver.resolve(ENVELOPE.replace("m-1", " "), Map.of("bq-message-id", "h")))
                .isEqualTo("h");
        assertThat(resolver.resolve(null, Map.of())).isNull();
    }

    @Test
    void looksOnlyWhereItIsTold() {
        StandardMessageIdResolver body = with(EnumSet.of(MessageIdSource.BODY));
        StandardMessageIdResolver headers = with(EnumSet.of(MessageIdSource.HEADERS));

        assertThat(body.resolve(FOREIGN, Map.of("bq-message-id", "h"))).isEqualTo("f-1");
        assertThat(body.resolve("text", Map.of("bq-message-id", "h"))).isNull();
        assertThat(headers.resolve(ENVELOPE, Map.of("bq-message-id", "h"))).isEqualTo("h");
        assertThat(headers.resolve(ENVELOPE, Map.of())).isNull();
    }

    @Test
    void neverTouchesTheBodyIfItIsNoSource() {
        CharSequence body = mock(CharSequence.class, call -> {
            throw new AssertionError("read");
        });

        assertThat(with(EnumSet.of(MessageIdSource.HEADERS)).resolve(body, Map.of("MessageId", "m")))
                .isEqualTo("m");
    }

    @Test
    void readsSpringMessages() {
        assertThat(resolver.resolve(MessageBuilder.withPayload(ENVELOPE).build(), Map.of()))
                .isEqualTo("m-1");
        assertThat(resolver.resolve(
                        MessageBuilder.withPayload("text")
                                .setHeader("bq-message-id", "h")
                                .build(),
                        Map.of()))
                .isEqualTo("h");
        assertThat(resolver.resolve(
                        MessageBuilder.withPayload("text")
                                .setHeader("bq-message-id", "own")
                                .build(),
                        Map.of("bq-message-id", "raw")))
                .isEqualTo("raw");
    }

    @Test
    void readsJmsMessageInSpringMessage() throws Exception {
        TextMessage jms = mock();
        given(jms.getPropertyNames()).willReturn(Collections.emptyEnumeration());
        given(jms.getText()).willReturn(ENVELOPE);

        assertThat(resolver.resolve(MessageBuilder.withPayload(jms).build(), Map.of()))
                .isEqualTo("m-1");
    }

    @Test
    @DisplayName("O49")
    void ignoresIdThatSpringGenerates() {
        assertThat(resolver.resolve(MessageBuilder.withPayload("text").build(), Map.of()))
                .isNull();
    }

    @Test
    @DisplayName("O50")
    void inventsNoId() {
        assertThat(resolver.resolve("text", Map.of())).isNull();
        assertThat(resolver.resolve(ENVELOPE.replace("\"id\"", "\"ids\""), Map.of()))
                .isNull();
    }

    @Test
    void usesPointerForEveryKindOfBody() {
        StandardMessageIdResolver orders = StandardMessageIdResolver.builder()
                .jsonPointer("/data/order_id")
                .build();
        String envelope = "{\"job\":\"urn:x:y\",\"data\":{\"order_id\":7001},\"meta\":{\"id\":\"m-1\"}}";

        assertThat(orders.resolve(envelope, Map.of("bq-message-id", "h"))).isEqualTo("7001");
        assertThat(orders.resolve(Map.of("data", Map.of("order_id", 7001)), Map.of()))
                .isEqualTo("7001");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "meta/id", "/meta/~2id", "/meta/id~", "#/meta/id", " /meta"})
    void refusesMalformedPointer(String pointer) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StandardMessageIdResolver.builder().jsonPointer(pointer))
                .withMessageContaining("'" + pointer + "'")
                .withMessageContaining("idempotency.message-id.json-pointer");
    }

    @Test
    void refusesNoSource() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StandardMessageIdResolver.builder().sources(Set.of()))
                .withMessageContaining("idempotency.message-id.sources");
    }

    @Test
    void logsFirstUseOfForeignIdForEachConsumer(CapturedOutput output) {
        StandardMessageIdResolver orders = resolver.forConsumer("orders");
        StandardMessageIdResolver stock = resolver.forConsumer("stock");

        orders.resolve(ENVELOPE, Map.of());
        orders.resolve(FOREIGN, Map.of("bq-message-id", "h"));
        assertThat(output).doesNotContain("no envelope");
        for (int i = 0; i < 3; i++) {
            orders.resolve(FOREIGN, Map.of());
            stock.resolve(FOREIGN, Map.of());
        }
        assertThat(output.toString().lines().filter(line -> line.contains("no envelope")))
                .hasSize(2)
                .allMatch(line -> line.contains("INFO"))
                .anyMatch(line -> line.contains("'orders'"))
                .anyMatch(line -> line.contains("'stock'"))
                .noneMatch(line -> line.contains("f-1"));
    }

    @Test
    void keepsSettingsForConsumer() {
        assertThat(StandardMessageIdResolver.builder()
                        .headers(List.of("x-id"))
                        .sources(List.of(MessageIdSource.HEADERS))
                        .build()
                        .forConsumer("orders")
                        .resolve(ENVELOPE, Map.of("x-id", "x")))
                .isEqualTo("x");
    }

    @Test
    void warnsOfBrokerId(CapturedOutput output) {
        with(EnumSet.of(MessageIdSource.BODY, MessageIdSource.HEADERS));
        assertThat(output).doesNotContain("broker-id");
        with(EnumSet.of(MessageIdSource.BROKER_ID));
        assertThat(output.toString().lines().filter(line -> line.contains("broker-id")))
                .singleElement()
                .asString()
                .contains("WARN");
    }

    private static StandardMessageIdResolver with(Set<MessageIdSource> sources) {
        return StandardMessageIdResolver.builder().sources(sources).build();
    }
}
