package dev.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** K5: ids are compared byte for byte, in every store. */
class MessageKeyTests {

    private static String storedId(String messageId) {
        return MessageKey.of("orders", messageId).storedId();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", " a ", "A", "é", "e\u0301", "api_4qD3", "\u00a0"})
    void storesUsualIdsVerbatim(String messageId) {
        assertThat(storedId(messageId)).isEqualTo(messageId);
    }

    // O45: the limit is one of bytes, not of characters
    @Test
    void storesADigestOfWhatIsLongerThan255Bytes() {
        assertThat(storedId("a".repeat(255))).isEqualTo("a".repeat(255));
        assertThat(storedId("a".repeat(256))).startsWith("sha256:").hasSize(71);
        assertThat(storedId("\uD83D\uDCE6".repeat(63))).isEqualTo("\uD83D\uDCE6".repeat(63));
        assertThat(storedId("\uD83D\uDCE6".repeat(64))).startsWith("sha256:").hasSize(71);
    }

    @Test
    void letsNoIdPoseAsADigest() {
        assertThat(storedId("sha256:00")).startsWith("sha256:").hasSize(71);
    }

    @Test
    void storesADigestOfWhatAStoreMayRefuseOrFold() {
        assertThat(storedId("a\0b")).startsWith("sha256:");
        assertThat(storedId("\uD800")).startsWith("sha256:").isNotEqualTo(storedId("\uD801"));
        assertThat(storedId("\uD800")).isNotEqualTo(storedId("?"));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "  ", "\t"})
    void refusesWhatIsNoId(String blank) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MessageKey.of("orders", blank))
                .withMessageContaining("messageId");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MessageKey.of(blank, "a"))
                .withMessageContaining("consumer");
    }

    @Test
    void keepsConsumersApart() {
        assertThat(MessageKey.of("orders", "a"))
                .isEqualTo(MessageKey.of("orders", "a"))
                .hasSameHashCodeAs(MessageKey.of("orders", "a"))
                .isNotEqualTo(MessageKey.of("payments", "a"))
                .isNotEqualTo(MessageKey.of("orders", "A"));
    }

    @Test
    void showsIdsQuotedEscapedAndCut() {
        assertThat(MessageKey.of("orders", "a\"\n\u202eb")).hasToString("orders \"a\\\"\\u000a\\u202eb\"");
        assertThat(MessageKey.of("orders", "x".repeat(81))).hasToString("orders \"" + "x".repeat(80) + "…\"");
    }
}
