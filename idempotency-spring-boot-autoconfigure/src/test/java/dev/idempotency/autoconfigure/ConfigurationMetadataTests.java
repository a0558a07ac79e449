package dev.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Each property has a type, a description and the default that it really has, for the help of editors. */
class ConfigurationMetadataTests {

    private static final String NO_DEFAULT = "";

    private static final Map<String, JsonNode> PROPERTIES = properties();

    static Stream<Arguments> describesProperty() {
        return Stream.of(
                Arguments.of("enabled", "java.lang.Boolean", "true"),
                Arguments.of("store", "dev.idempotency.autoconfigure.StoreType", "in-memory"),
                Arguments.of("mode", "dev.idempotency.IdempotencyMode", "auto"),
                Arguments.of("retention", "java.time.Duration", "7d"),
                Arguments.of("lease", "java.time.Duration", "30s"),
                Arguments.of("lease-limit", "java.time.Duration", "1h"),
                Arguments.of("in-flight-wait", "java.time.Duration", NO_DEFAULT),
                Arguments.of("later-delay", "java.time.Duration", "1s"),
                Arguments.of("on-store-failure", "dev.idempotency.StoreFailurePolicy", "defer"),
                Arguments.of("on-missing-id", "dev.idempotency.MissingIdPolicy", "process"),
                Arguments.of("order", "java.lang.Integer", "2147483547"),
                Arguments.of("message-id.headers", "java.util.List<java.lang.String>", "[]"),
                Arguments.of("message-id.json-pointer", "java.lang.String", "/meta/id"),
                Arguments.of(
                        "message-id.sources",
                        "java.util.List<dev.idempotency.message.MessageIdSource>",
                        "[\"body\",\"headers\"]"),
                Arguments.of("namespace", "java.lang.String", NO_DEFAULT),
                Arguments.of("redis.connection-factory", "java.lang.String", NO_DEFAULT),
                Arguments.of("redis.key-prefix", "java.lang.String", "idempotency:"),
                Arguments.of("jdbc.data-source", "java.lang.String", NO_DEFAULT),
                Arguments.of("jdbc.table-name", "java.lang.String", "idempotency_message"),
                Arguments.of(
                        "jdbc.initialize-schema",
                        "org.springframework.boot.sql.init.DatabaseInitializationMode",
                        "embedded"),
                Arguments.of(
                        "jdbc.schema",
                        "java.lang.String",
                        "classpath:dev/idempotency/store/jdbc/schema-@@platform@@.sql"),
                Arguments.of("jdbc.platform", "java.lang.String", NO_DEFAULT),
                Arguments.of("jdbc.continue-on-error", "java.lang.Boolean", "false"),
                Arguments.of("jdbc.cleanup-cron", "java.lang.String", "0 */10 * * * *"),
                Arguments.of("jdbc.cleanup-batch-size", "java.lang.Integer", "1000"),
                Arguments.of("jms.later", "dev.idempotency.listener.JmsLater", "rollback"),
                Arguments.of("in-memory.max-entries", "java.lang.Integer", "100000"),
                Arguments.of("management.health.idempotency.enabled", "java.lang.Boolean", "true"));
    }

    @ParameterizedTest
    @MethodSource
    void describesProperty(String name, String type, String defaultValue) {
        JsonNode property = PROPERTIES.get(full(name));
        assertThat(property).as(name).isNotNull();
        assertThat(property.path("type").asString()).isEqualTo(type);
        JsonNode described = property.path("defaultValue");
        assertThat(described.isContainer() ? described.toString() : described.asString(NO_DEFAULT))
                .isEqualTo(defaultValue);
        assertThat(property.path("description").asString(""))
                .matches("(?s)[A-Z].{15,}\\.")
                .doesNotStartWith("The ")
                .doesNotStartWith("A ")
                .doesNotContain("{@");
    }

    private static String full(String name) {
        return name.startsWith("management.") ? name : "idempotency." + name;
    }

    @Test
    void describesNoOtherProperty() {
        assertThat(PROPERTIES.keySet())
                .containsExactlyInAnyOrderElementsOf(describesProperty()
                        .map(arguments -> full((String) arguments.get()[0]))
                        .toList());
    }

    @Test
    void changesNothingWhenDescribedDefaultsAreSet() {
        Map<String, Object> described = new TreeMap<>();
        PROPERTIES.forEach((name, property) -> {
            JsonNode value = property.path("defaultValue");
            if (value.isArray()) {
                Collection<JsonNode> elements = value.values();
                described.put(
                        name,
                        String.join(
                                ",", elements.stream().map(JsonNode::asString).toList()));
            } else if (!value.isMissingNode()) {
                described.put(name, value.asString());
            }
        });
        IdempotencyProperties bound = new Binder(new MapConfigurationPropertySource(described))
                .bind("idempotency", Bindable.of(IdempotencyProperties.class))
                .get();
        bound.setStore(null);
        assertThat(bound).usingRecursiveComparison().isEqualTo(new IdempotencyProperties());
    }

    private static Map<String, JsonNode> properties() {
        Map<String, JsonNode> properties = new TreeMap<>();
        try (InputStream metadata =
                IdempotencyProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            for (JsonNode property : new JsonMapper().readTree(metadata).path("properties")) {
                properties.put(property.path("name").asString(), property);
            }
        } catch (IOException ex) {
            throw new IllegalStateException(ex);
        }
        return properties;
    }
}
