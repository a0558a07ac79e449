package dev.idempotency.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.Idempotent;
import dev.idempotency.MessageKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.messaging.handler.annotation.Payload;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * K6: whatever a producer sends, through the real container, each of it twice: no consumer stops, nothing is lost, and
 * ten good messages that follow have ten effects. O41, O43, O50, O51, O52
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EveryMessageTests {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Set<String> JMS_HEADERS = Set.of("MessageId", "ce_source", "ce_id");

    private final JsonNode vectors = read();
    private Broker broker;

    @BeforeAll
    void start() {
        broker = Broker.start(App.class);
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    @TestFactory
    Stream<DynamicTest> dedupesByTheIdOfEachBody() {
        return Stream.concat(stream("cases").flatMap(this::bodyTests), generated());
    }

    @TestFactory
    Stream<DynamicTest> dedupesByTheHeadersThatJmsCanCarry() {
        List<DynamicTest> tests = stream("withHeaders")
                .filter(each -> !each.path("headers").isEmpty()
                        && JMS_HEADERS.containsAll(each.path("headers").propertyNames()))
                .map(this::headerTest)
                .toList();
        assertThat(tests).hasSizeGreaterThanOrEqualTo(4);
        return tests.stream();
    }

    private Stream<DynamicTest> bodyTests(JsonNode each) {
        String body = each.path("body").asString();
        Expected expected = Expected.of(each.path("messageId"));
        return Stream.of(
                DynamicTest.dynamicTest(
                        each.path("name").asString() + " as text", () -> deliverText(body, Map.of(), expected)),
                DynamicTest.dynamicTest(
                        each.path("name").asString() + " as bytes",
                        () -> deliverBytes(body.getBytes(StandardCharsets.UTF_8), expected)));
    }

    private DynamicTest headerTest(JsonNode each) {
        Map<String, Object> headers = new LinkedHashMap<>();
        each.path("headers")
                .properties()
                .forEach(header -> headers.put(
                        header.getKey(),
                        header.getValue().isObject()
                                ? (Object) header.getValue().path("long").asLong()
                                : header.getValue().asString()));
        return DynamicTest.dynamicTest(
                each.path("name").asString(),
                () -> deliverText(each.path("body").asString(), headers, Expected.of(each.path("messageId"))));
    }

    private Stream<DynamicTest> generated() {
        String canonical = vectors.path("cases").get(0).path("body").asString();
        String id = vectors.path("cases").get(0).path("messageId").asString();
        int meta = canonical.indexOf("\"data\"");
        String large = canonical.substring(0, meta) + "\"blob\":\"" + "x".repeat(50_000_000) + "\","
                + canonical.substring(meta);
        String broken = canonical.substring(0, canonical.indexOf(",\"attempts\""));
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("deep-nesting", "[".repeat(100_000));
        made.put("fifty-megabytes", large);
        made.put("utf-16", ("\uFEFF" + canonical).getBytes(StandardCharsets.UTF_16BE));
        made.put("id-then-broken-json", broken);
        assertThat(stream("generated").map(each -> each.path("name").asString()))
                .containsExactlyInAnyOrderElementsOf(made.keySet());
        return made.entrySet().stream()
                .map(each -> DynamicTest.dynamicTest(each.getKey(), () -> {
                    Expected expected =
                            each.getKey().equals("deep-nesting") ? new Expected(null, 2, 2) : new Expected(id, 1, 2);
                    if (each.getValue() instanceof byte[] bytes) {
                        deliverBytes(bytes, expected);
                    } else {
                        deliverText((String) each.getValue(), Map.of(), expected);
                    }
                }));
    }

    private void deliverText(String body, Map<String, Object> headers, Expected expected) {
        deliver(
                "texts",
                expected,
                () -> broker.send("texts", session -> {
                    var message = session.createTextMessage(body);
                    for (Map.Entry<String, Object> header : headers.entrySet()) {
                        message.setObjectProperty(header.getKey(), header.getValue());
                    }
                    return message;
                }));
    }

    private void deliverBytes(byte[] body, Expected expected) {
        deliver(
                "bytes",
                expected,
                () -> broker.send("bytes", session -> {
                    var message = session.createBytesMessage();
                    message.writeBytes(body);
                    return message;
                }));
    }

    private void deliver(String queue, Expected expected, Runnable send) {
        Effects effects = broker.bean(Effects.class);
        if (expected.id() != null) {
            broker.bean(IdempotencyStore.class).forget(MessageKey.of(queue, expected.id()));
        }
        int before = effects.count();
        send.run();
        send.run();
        await().atMost(PATIENCE).until(() -> broker.depth(queue) == 0);
        int after = effects.count();
        assertThat(after - before).isBetween(expected.fewest(), expected.most());

        for (int i = 0; i < 10; i++) {
            broker.sendText("texts", Envelopes.withId("good-" + after + "-" + i));
        }
        await().atMost(PATIENCE).until(() -> broker.depth("texts") == 0);
        assertThat(effects.count() - after).isEqualTo(10);
        assertThat(broker.deadLetters()).isZero();
    }

    private Stream<JsonNode> stream(String member) {
        return vectors.path(member).valueStream();
    }

    private static JsonNode read() {
        try (InputStream in = EveryMessageTests.class.getResourceAsStream("/dev/idempotency/test/message-ids.json")) {
            return JsonMapper.builder().build().readTree(in);
        } catch (IOException ex) {
            throw new IllegalStateException(ex);
        }
    }

    /** How many effects two deliveries may have. */
    private record Expected(String id, int fewest, int most) {

        static Expected of(JsonNode messageId) {
            return messageId.isNull() ? new Expected(null, 2, 2) : new Expected(messageId.asString(), 1, 1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Effects.class, Listeners.class})
    static class App {}

    static class Listeners {

        private final Effects effects;

        Listeners(Effects effects) {
            this.effects = effects;
        }

        @JmsListener(destination = "texts")
        @Idempotent(consumer = "texts")
        void onText(@Payload(required = false) String body) {
            effects.add("text");
        }

        @JmsListener(destination = "bytes")
        @Idempotent(consumer = "bytes")
        void onBytes(@Payload(required = false) byte[] body) {
            effects.add("bytes");
        }
    }
}
