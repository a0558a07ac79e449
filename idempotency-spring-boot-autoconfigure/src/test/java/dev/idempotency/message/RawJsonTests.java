package dev.idempotency.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RawJsonTests {

    private static final String ENVELOPE = "{\"job\":\"urn:x:y\",\"data\":{},\"meta\":{\"id\":\"m-1\"}}";

    private final RawJson json = new RawJson(IdPointer.parse("/meta/id"));

    @Test
    void readsEnvelope() {
        assertThat(read(ENVELOPE)).isEqualTo(new BodyId(true, "m-1"));
        assertThat(read(ENVELOPE.replace("job", "urn"))).isEqualTo(new BodyId(true, "m-1"));
        assertThat(read("{\"meta\":{\"id\":\"m-1\"},\"data\":[{\"job\":\"x\"}],\"job\":\"urn:x:y\"}"))
                .isEqualTo(new BodyId(true, "m-1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"job\":\" \"",
                "\"job\":1",
                "\"job\":null",
                "\"job\":{\"job\":\"x\"}",
                "\"Job\":\"x\"",
                "\"a\":1"
            })
    void takesBodyWithoutTextJobForNoEnvelope(String member) {
        assertThat(read("{" + member + ",\"meta\":{\"id\":\"m-1\"}}")).isEqualTo(new BodyId(false, "m-1"));
        assertThat(read("{\"meta\":{\"id\":\"m-1\"}," + member + "}")).isEqualTo(new BodyId(false, "m-1"));
    }

    @Test
    void readsIntegerIdsExactly() {
        assertThat(id("90071992547409931234")).isEqualTo("90071992547409931234");
        assertThat(id("-7")).isEqualTo("-7");
        assertThat(id("1" + "0".repeat(5000))).isEqualTo("1" + "0".repeat(5000));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.0",
                "1e3",
                "1E3",
                "true",
                "false",
                "null",
                "{\"id\":\"x\"}",
                "[\"x\"]",
                "[]",
                "\" \"",
                "\"\"",
                "NaN",
                "+1",
                "01"
            })
    void refusesWhatIsNeitherTextNorInteger(String value) {
        assertThat(id(value)).isNull();
    }

    @Test
    void takesFirstOfRepeatedMembers() {
        assertThat(read("{\"job\":\"u\",\"meta\":{\"id\":\"first\",\"id\":\"x\"},\"meta\":{\"id\":\"second\"}}")
                        .id())
                .isEqualTo("first");
        assertThat(read("{\"meta\":{\"id\":\"first\",\"id\":\"x\"},\"meta\":{\"id\":\"second\"}}")
                        .id())
                .isEqualTo("first");
        assertThat(read("{\"job\":\"u\",\"meta\":{},\"meta\":{\"id\":\"second\"}}")
                        .id())
                .isNull();
        assertThat(read("{\"job\":\"u\",\"meta\":{\"id\":1.5,\"id\":\"second\"}}")
                        .id())
                .isNull();
    }

    @Test
    @DisplayName("O51")
    void readsBodiesWithByteOrderMarkAndWhitespace() {
        assertThat(read("\uFEFF \r\n\t" + ENVELOPE).id()).isEqualTo("m-1");
        assertThat(json.read(("\uFEFF\n" + ENVELOPE).getBytes(StandardCharsets.UTF_8))
                        .id())
                .isEqualTo("m-1");
        for (Charset charset : new Charset[] {StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE}) {
            assertThat(json.read(("\uFEFF" + ENVELOPE).getBytes(charset)).id()).isEqualTo("m-1");
        }
    }

    @Test
    @DisplayName("O51")
    void givesNoIdForMalformedBytesSoThatTheyDoNotBecomeOneId() {
        byte[] latin1 = "{\"job\":\"u\",\"meta\":{\"id\":\"é\"}}".getBytes(StandardCharsets.ISO_8859_1);

        assertThat(json.read(latin1).id()).isNull();
    }

    @Test
    @DisplayName("O51")
    void doesNotReadBehindTheObject() {
        assertThat(read("{\"meta\":{\"id\":\"m-1\"}} trailing garbage").id()).isEqualTo("m-1");
        assertThat(read("{\"meta\":{\"id\":\"m-1\"}}{\"job\":\"x\"}")).isEqualTo(new BodyId(false, "m-1"));
    }

    @Test
    void survivesEveryCut() {
        String body = ENVELOPE.replace("\"m-1\"", "12345678");
        for (int length = 0; length <= body.length(); length++) {
            byte[] cut = Arrays.copyOf(body.getBytes(StandardCharsets.UTF_8), length);
            assertThat(json.read(cut).id()).isIn(null, "12345678");
            assertThat(json.read(body.substring(0, length)).id()).isIn(null, "12345678");
        }
    }

    @Test
    void survivesEveryChangedByte() {
        byte[] body = ENVELOPE.getBytes(StandardCharsets.UTF_8);
        for (int position = 0; position < body.length; position++) {
            for (int value = 0; value < 256; value++) {
                byte[] changed = body.clone();
                changed[position] = (byte) value;
                assertThatCode(() -> json.read(changed)).doesNotThrowAnyException();
            }
        }
    }

    @Test
    void keepsIdThatWasReadBeforeTheBodyBreaks() {
        assertThat(read("{\"job\":\"u\",\"meta\":{\"id\":\"m-1\"")).isEqualTo(new BodyId(true, "m-1"));
        assertThat(read("{\"meta\":{\"id\":\"m-1\"},\"data\":oops")).isEqualTo(new BodyId(false, "m-1"));
    }

    // What the limit cuts off must not make the ids of two messages one.
    @Test
    void givesNoIdForNumberThatTheLimitCuts() {
        String head = "{\"job\":\"u\",\"data\":\"";
        String tail = "\",\"meta\":{\"id\":12";
        String fill = "x".repeat(BodyIds.MAX_LENGTH - head.length() - tail.length());
        String body = head + fill + tail + "345}}";

        assertThat(read(body).id()).isNull();
        assertThat(json.read(body.getBytes(StandardCharsets.UTF_8)).id()).isNull();
    }

    @Test
    @DisplayName("O52")
    void readsNoFurtherThanTheLimit() {
        CountedText body = new CountedText("{\"job\":\"u\",\"data\":\"", 50_000_000, "\",\"meta\":{\"id\":\"m-1\"}}");

        assertThat(json.read(body)).isEqualTo(BodyId.NONE);
        assertThat(body.read.get()).isBetween(BodyIds.MAX_LENGTH - 1L, BodyIds.MAX_LENGTH + 100L);
    }

    @Test
    @DisplayName("O52")
    void findsIdJustWithinTheLimitAndNotBehindIt() {
        String head = "{\"job\":\"u\",\"data\":\"";
        String tail = "\",\"meta\":{\"id\":\"m-1\"}}";
        int fill = BodyIds.MAX_LENGTH - head.length() - tail.length();

        for (int behind : new int[] {0, 10}) {
            String body = head + "x".repeat(fill + behind) + tail;
            String expected = behind == 0 ? "m-1" : null;
            assertThat(read(body).id()).isEqualTo(expected);
            assertThat(json.read(body.getBytes(StandardCharsets.UTF_8)).id()).isEqualTo(expected);
        }
    }

    @Test
    void stopsAtTheIdOfAnEnvelope() {
        CountedText body = new CountedText(ENVELOPE.replace("}}", "},\"more\":\""), 1_000_000, "\"}");

        assertThat(json.read(body)).isEqualTo(new BodyId(true, "m-1"));
        assertThat(body.read.get()).isLessThan(50_000);
    }

    @Test
    void looksAtOneCharacterOfWhatIsNoObject() {
        CountedText brackets = new CountedText("[[", 100_000, "");

        assertThat(json.read(brackets)).isEqualTo(BodyId.NONE);
        assertThat(brackets.read.get()).isLessThan(5);
    }

    @Test
    @DisplayName("O52")
    void stopsReadingAtTooDeepNesting() {
        String deep = "[".repeat(100_000);
        CountedText body = new CountedText("{\"job\":\"u\",\"data\":" + deep, 1_000_000, "");

        assertThat(json.read(body)).isEqualTo(BodyId.NONE);
        assertThat(body.read.get()).isLessThan(50_000);
        assertThat(read("{\"meta\":" + "{\"id\":".repeat(100_000))).isEqualTo(BodyId.NONE);
        assertThat(read("{\"job\":\"u\",\"meta\":{\"id\":\"m-1\"},\"data\":" + deep))
                .isEqualTo(new BodyId(true, "m-1"));
        assertThat(read("{\"job\":\"u\",\"data\":" + "[".repeat(400) + "]".repeat(400) + ",\"meta\":{\"id\":\"m-1\"}}"))
                .isEqualTo(new BodyId(true, "m-1"));
    }

    @Test
    void stopsReadingAtTooLongNumber() {
        assertThat(id("9".repeat(RawJson.MAX_NUMBER_LENGTH + 1))).isNull();
    }

    @Test
    void readsFrameInAnyOrder() {
        String inner = ENVELOPE.replace("\"", "\\\"");

        assertThat(read("{\"__bq_frame\":1,\"body\":\"" + inner + "\"}")).isEqualTo(new BodyId(true, "m-1"));
        assertThat(read("{\"body\":\"" + inner + "\",\"__bq_frame\":2}")).isEqualTo(new BodyId(true, "m-1"));
        assertThat(read("{\"meta\":{\"id\":\"outer\"},\"body\":\"" + inner + "\",\"__bq_frame\":1}"))
                .isEqualTo(new BodyId(true, "m-1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.0", "\"1\"", "true", "null", "{}"})
    void takesOtherMarkForNoFrame(String mark) {
        String inner = ENVELOPE.replace("\"", "\\\"");

        assertThat(read("{\"__bq_frame\":" + mark + ",\"body\":\"" + inner + "\"}"))
                .isEqualTo(BodyId.NONE);
    }

    @Test
    void readsOneFrameOnly() {
        String inner = "{\"__bq_frame\":1,\"body\":\"{}\",\"meta\":{\"id\":\"in\"}}".replace("\"", "\\\"");

        assertThat(read("{\"__bq_frame\":1,\"body\":\"" + inner + "\"}").id()).isEqualTo("in");
        assertThat(read("{\"__bq_frame\":1,\"body\":{\"meta\":{\"id\":\"x\"}},\"meta\":{\"id\":\"y\"}}"))
                .isEqualTo(BodyId.NONE);
        assertThat(read("{\"__bq_frame\":1,\"body\":\"text\"}")).isEqualTo(BodyId.NONE);
    }

    @Test
    void followsOtherPointers() {
        String body =
                "{\"job\":\"u\",\"data\":{\"a/b\":[{\"k\":1},{\"k~\":{\"\":\"deep\"}}]},\"id\":7,\"x\":{\"7\":\"n\"}}";

        assertThat(read("/data/a~1b/1/k~0/", body)).isEqualTo(new BodyId(true, "deep"));
        assertThat(read("/data/a~1b/0/k", body)).isEqualTo(new BodyId(true, "1"));
        assertThat(read("/id", body)).isEqualTo(new BodyId(true, "7"));
        assertThat(read("/job", body)).isEqualTo(new BodyId(true, "u"));
        assertThat(read("/x/7", body)).isEqualTo(new BodyId(true, "n"));
        assertThat(read("/data/a~1b/2/k", body).id()).isNull();
        assertThat(read("/data/a~1b/01/k", body).id()).isNull();
        assertThat(read("/data", body).id()).isNull();
        assertThat(read("/meta/id", body).id()).isNull();
        assertThat(read("/0/meta/id", "[" + ENVELOPE + "]").id()).isNull();
    }

    private BodyId read(String body) {
        BodyId asText = json.read(body);
        assertThat(json.read(body.getBytes(StandardCharsets.UTF_8))).isEqualTo(asText);
        return asText;
    }

    private static BodyId read(String pointer, String body) {
        return new RawJson(IdPointer.parse(pointer)).read(body);
    }

    private @Nullable String id(String value) {
        return read("{\"meta\":{\"id\":" + value + "}}").id();
    }

    /** A text that is not in memory and counts how many of its characters are read. */
    private static final class CountedText implements CharSequence {

        private final AtomicLong read = new AtomicLong();
        private final String head;
        private final int fill;
        private final String tail;

        CountedText(String head, int fill, String tail) {
            this.head = head;
            this.fill = fill;
            this.tail = tail;
        }

        @Override
        public int length() {
            return head.length() + fill + tail.length();
        }

        @Override
        public char charAt(int index) {
            read.incrementAndGet();
            if (index < head.length()) {
                return head.charAt(index);
            }
            int inTail = index - head.length() - fill;
            return inTail < 0 ? 'x' : tail.charAt(inTail);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            throw new AssertionError("a body is not copied");
        }

        @Override
        public String toString() {
            throw new AssertionError("a body is not copied");
        }
    }
}
