package dev.idempotency.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.idempotency.MessageKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Holds every case of {@code message-ids.json}: O37, O41, O43, O45-O47, O49, O51, O52. */
class MessageIdVectorTests {

    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final JsonNode VECTORS = readVectors();

    private final StandardMessageIdResolver resolver =
            StandardMessageIdResolver.builder().build();

    private static JsonNode readVectors() {
        return MAPPER.readTree(
                MessageIdVectorTests.class.getResourceAsStream("/dev/idempotency/test/message-ids.json"));
    }

    @TestFactory
    Stream<DynamicContainer> readsEveryBody() {
        return VECTORS.get("cases")
                .valueStream()
                .map(vector -> dynamicContainer(vector.get("name").stringValue(), bodyTests(vector)));
    }

    private List<DynamicNode> bodyTests(JsonNode vector) {
        String body = vector.get("body").stringValue();
        String expected = text(vector.get("messageId"));
        List<DynamicNode> tests = new ArrayList<>();
        tests.add(bodyTest("text", body, expected));
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        tests.add(dynamicTest("bytes", () -> {
            assertThat(resolver.resolve(bytes, Map.of())).isEqualTo(expected);
            assertThat(bytes).isEqualTo(body.getBytes(StandardCharsets.UTF_8));
        }));
        JsonNode tree = parse(body);
        if (tree != null) {
            // A parser keeps the last of two members; only the raw body shows the first.
            String parsed = "meta-twice".equals(vector.get("name").stringValue()) ? "second" : expected;
            tests.add(bodyTest("tree", tree, parsed));
            if (tree.isObject()) {
                tests.add(bodyTest("map", MAPPER.convertValue(tree, Map.class), parsed));
            }
        }
        return tests;
    }

    private DynamicTest bodyTest(String kind, Object body, @Nullable String expected) {
        return dynamicTest(
                kind, () -> assertThat(resolver.resolve(body, Map.of())).isEqualTo(expected));
    }

    private static @Nullable JsonNode parse(String body) {
        try {
            JsonNode tree = MAPPER.readTree(body);
            return tree.isMissingNode() ? null : tree;
        } catch (JacksonException ex) {
            return null;
        }
    }

    @TestFactory
    Stream<DynamicTest> readsEverySetOfHeaders() {
        return VECTORS.get("withHeaders")
                .valueStream()
                .map(vector -> dynamicTest(vector.get("name").stringValue(), () -> {
                    Map<String, Object> headers = headers(vector.get("headers"));
                    String body = vector.get("body").stringValue();
                    String expected = text(vector.get("messageId"));
                    assertThat(resolver.resolve(body, headers)).isEqualTo(expected);
                    assertThat(resolver.resolve(body.getBytes(StandardCharsets.UTF_8), headers))
                            .isEqualTo(expected);
                }));
    }

    private static Map<String, Object> headers(JsonNode vector) {
        Map<String, Object> headers = new HashMap<>();
        vector.propertyStream().forEach(header -> headers.put(header.getKey(), header(header.getValue())));
        return headers;
    }

    private static Object header(JsonNode value) {
        if (value.has("bytes")) {
            return Base64.getDecoder().decode(value.get("bytes").stringValue());
        }
        if (value.has("long")) {
            return value.get("long").longValue();
        }
        if (value.has("list")) {
            return value.get("list").valueStream().map(JsonNode::stringValue).toList();
        }
        return value.isString() ? value.stringValue() : value.longValue();
    }

    @TestFactory
    Stream<DynamicTest> storesLongIdsAsDigest() {
        return VECTORS.get("longIds").valueStream().map(vector -> {
            String make = vector.get("make").stringValue();
            return dynamicTest(make, () -> {
                String id = make(make);
                String body = MAPPER.writeValueAsString(Map.of("job", "urn:x:y", "meta", Map.of("id", id)));
                String found = resolver.resolve(body, Map.of());
                assertThat(found).isEqualTo(id);
                MessageKey key = MessageKey.of("orders", found);
                assertThat(key.messageId()).isEqualTo(id);
                boolean verbatim = vector.get("storedAs").stringValue().equals("verbatim");
                assertThat(key.storedId()).isEqualTo(verbatim ? id : "sha256:" + sha256(id));
            });
        });
    }

    private static String make(String make) {
        return switch (make) {
            case "255 ASCII letters a" -> "a".repeat(255);
            case "256 ASCII letters a" -> "a".repeat(256);
            case "63 times U+1F4E6 (252 bytes)" -> "\uD83D\uDCE6".repeat(63);
            case "64 times U+1F4E6 (256 bytes)" -> "\uD83D\uDCE6".repeat(64);
            case "the text sha256:00" -> "sha256:00";
            default -> throw new AssertionError("unknown case: " + make);
        };
    }

    private static String sha256(String text) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    @TestFactory
    Stream<DynamicTest> survivesEveryGeneratedBody() {
        return VECTORS.get("generated").valueStream().map(vector -> {
            String name = vector.get("name").stringValue();
            return dynamicTest(name, () -> {
                for (Object body : generated(name)) {
                    String id = resolver.resolve(body, Map.of());
                    if (vector.get("messageId").isNull()) {
                        assertThat(id).isNull();
                    } else {
                        assertThat(id).isIn(null, canonicalId());
                    }
                    assertThat(resolver.resolve(body, Map.of("MessageId", "h"))).isIn("h", canonicalId());
                }
            });
        });
    }

    @Test
    void knowsEveryGeneratedBody() {
        assertThat(VECTORS.get("generated")
                        .valueStream()
                        .map(vector -> vector.get("name").stringValue()))
                .containsExactlyInAnyOrder("deep-nesting", "fifty-megabytes", "utf-16", "id-then-broken-json");
    }

    private static List<Object> generated(String name) {
        String canonical = canonical();
        String body = switch (name) {
            case "deep-nesting" -> "[".repeat(100_000);
            case "fifty-megabytes" ->
                canonical.replace("{\"order_id\"", "{\"blob\":\"" + "x".repeat(50_000_000) + "\",\"order_id\"");
            case "utf-16" -> "\uFEFF" + canonical;
            case "id-then-broken-json" -> canonical.substring(0, canonical.indexOf(",\"attempts\""));
            default -> throw new AssertionError("unknown case: " + name);
        };
        if (name.equals("utf-16")) {
            return List.of(body.getBytes(StandardCharsets.UTF_16BE), body.getBytes(StandardCharsets.UTF_16LE));
        }
        return List.of(body, body.getBytes(StandardCharsets.UTF_8));
    }

    private static String canonical() {
        return VECTORS.get("cases").get(0).get("body").stringValue();
    }

    private static String canonicalId() {
        return VECTORS.get("cases").get(0).get("messageId").stringValue();
    }

    private static @Nullable String text(JsonNode node) {
        return node.isNull() ? null : node.stringValue();
    }
}
