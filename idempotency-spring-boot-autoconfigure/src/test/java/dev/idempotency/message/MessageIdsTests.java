package dev.idempotency.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageIdsTests {

    @Test
    void takesTextVerbatim() {
        assertThat(MessageIds.fromValue(" a ")).isEqualTo(" a ");
        assertThat(MessageIds.fromValue("api_4qD3")).isEqualTo("api_4qD3");
        assertThat(MessageIds.fromValue(new StringBuilder("sb"))).isEqualTo("sb");
        assertThat(MessageIds.fromValue("\"quoted\"")).isEqualTo("\"quoted\"");
    }

    @Test
    void takesIntegersExactly() {
        assertThat(MessageIds.fromValue((byte) -1)).isEqualTo("-1");
        assertThat(MessageIds.fromValue((short) 2)).isEqualTo("2");
        assertThat(MessageIds.fromValue(3)).isEqualTo("3");
        assertThat(MessageIds.fromValue(Long.MAX_VALUE)).isEqualTo("9223372036854775807");
        assertThat(MessageIds.fromValue(new BigInteger("90071992547409931234"))).isEqualTo("90071992547409931234");
    }

    @Test
    void takesUuid() {
        UUID uuid = UUID.fromString("0c5d7f4e-6a31-4b0c-9a53-6d7f0e1b2a01");

        assertThat(MessageIds.fromValue(uuid)).isEqualTo("0c5d7f4e-6a31-4b0c-9a53-6d7f0e1b2a01");
    }

    @Test
    @DisplayName("O46")
    void takesBytesAsTextNeverAsIdentity() {
        assertThat(MessageIds.fromValue("sipariş-📦".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("sipariş-📦");
    }

    @Test
    void refusesMalformedBytesSoThatTheyDoNotBecomeOneId() {
        assertThat(MessageIds.fromValue("é".getBytes(StandardCharsets.ISO_8859_1)))
                .isNull();
        assertThat(MessageIds.fromValue(new byte[] {'a', (byte) 0xC1, (byte) 0x81}))
                .isNull();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " ", " \t\n", "\u2003"})
    @DisplayName("O41, O43")
    void refusesNullAndBlank(String text) {
        assertThat(MessageIds.fromValue(text)).isNull();
        assertThat(MessageIds.fromValue(text == null ? null : text.getBytes(StandardCharsets.UTF_8)))
                .isNull();
    }

    @Test
    void takesNoBreakSpaceWhichIsNotBlank() {
        assertThat(MessageIds.fromValue("\u00a0")).isEqualTo("\u00a0");
    }

    @Test
    void refusesWhatIsNoIdentity() {
        assertThat(MessageIds.fromValue(1.0)).isNull();
        assertThat(MessageIds.fromValue(1f)).isNull();
        assertThat(MessageIds.fromValue(BigDecimal.ONE)).isNull();
        assertThat(MessageIds.fromValue(true)).isNull();
        assertThat(MessageIds.fromValue('c')).isNull();
        assertThat(MessageIds.fromValue(new AtomicInteger(1))).isNull();
        assertThat(MessageIds.fromValue(new Object())).isNull();
        assertThat(MessageIds.fromValue(List.of("a"))).isNull();
        assertThat(MessageIds.fromValue(new char[] {'a'})).isNull();
    }

    @Test
    @DisplayName("O42")
    void composesPartsAsCompactJson() {
        assertThat(MessageIds.fromParts(List.of("/a", "1"))).isEqualTo("[\"/a\",\"1\"]");
        assertThat(MessageIds.fromParts(List.of("/a", 1L))).isEqualTo("[\"/a\",\"1\"]");
        assertThat(MessageIds.fromParts(new Object[] {"/a", 1})).isEqualTo("[\"/a\",\"1\"]");
        assertThat(MessageIds.fromParts(List.of("a"))).isEqualTo("[\"a\"]");
    }

    @Test
    @DisplayName("O42")
    void refusesPartsOfWhichOneIsNoId() {
        assertThat(MessageIds.fromParts(Arrays.asList("a", null))).isNull();
        assertThat(MessageIds.fromParts(Arrays.asList(null, null))).isNull();
        assertThat(MessageIds.fromParts(List.of("a", " "))).isNull();
        assertThat(MessageIds.fromParts(List.of("a", 1.5))).isNull();
        assertThat(MessageIds.fromParts(List.of("a", List.of("b")))).isNull();
        assertThat(MessageIds.fromParts(List.of())).isNull();
        assertThat(MessageIds.fromParts(new Object[0])).isNull();
    }

    @Test
    void escapesPartsSoThatNoTwoListsGiveOneId() {
        assertThat(MessageIds.fromParts(List.of("a\",\"b"))).isEqualTo("[\"a\\\",\\\"b\"]");
        assertThat(MessageIds.fromParts(List.of("a\\", "b"))).isEqualTo("[\"a\\\\\",\"b\"]");
        assertThat(MessageIds.fromParts(List.of("\b\f\n\r\t\u0000\u001f!/é📦")))
                .isEqualTo("[\"\\b\\f\\n\\r\\t\\u0000\\u001f!/é📦\"]");
    }
}
