package dev.idempotency.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class JsonStringTests {

    private static final JsonMapper MAPPER = JsonMapper.shared();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "\"",
                "\\",
                "/",
                "a\"b\\c/d",
                "\b\f\n\r\t",
                "\u0000\u001f",
                "é",
                "📦",
                "\u2028",
                "\\u0041"
            })
    void agreesWithJackson(String text) {
        StringBuilder encoded = new StringBuilder();
        JsonString.encode(text, encoded);

        assertThat(MAPPER.readValue(encoded.toString(), String.class)).isEqualTo(text);
        assertThat(JsonString.decode(MAPPER.writeValueAsString(text))).isEqualTo(text);
        assertThat(JsonString.decode(encoded.toString())).isEqualTo(text);
    }

    @Test
    void decodesEveryEscape() {
        assertThat(JsonString.decode("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u00E9\""))
                .isEqualTo("\"\\/\b\f\n\r\téé");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "\"",
                "\"a",
                "a\"",
                " \"a\"",
                "\"a\" ",
                "\"a\"b\"",
                "\"a\\\"",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12g4\"",
                "\"\\u\"",
                "\"\\",
                "\"a\nb\"",
                "\"\\u٠٠٤١\""
            })
    void leavesWhatIsNotWhollyOneJsonString(String text) {
        assertThat(JsonString.decode(text)).isEqualTo(text);
    }
}
