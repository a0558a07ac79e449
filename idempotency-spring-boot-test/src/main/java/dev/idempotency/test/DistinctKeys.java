package dev.idempotency.test;

import dev.idempotency.MessageKey;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.provider.Arguments;

/** Pairs of keys that a store may be tempted to take for one (O33, O44, O45; rules K4 and K5). */
final class DistinctKeys {

    private static final String LONG = "x".repeat(300);

    private DistinctKeys() {}

    static Stream<Arguments> pairs() {
        return Stream.concat(ids(), consumers());
    }

    private static Stream<Arguments> ids() {
        return Stream.of(
                ids("case", "api_4qD3", "api_4qd3"),
                ids("case of letters beyond ASCII", "É", "é"),
                ids("accent", "é", "e"),
                ids("cedilla", "abç", "abc"),
                ids("composed and decomposed accent", "\u00e9", "e\u0301"),
                ids("combining marks in another order", "q\u0307\u0323", "q\u0323\u0307"),
                ids("combining mark", "a\u0308", "a"),
                ids("sharp s", "straße", "strasse"),
                ids("dotless i", "ı", "i"),
                ids("full width", "\uff21", "A"),
                ids("ligature", "\ufb01", "fi"),
                ids("trailing blank", "abc ", "abc"),
                ids("leading blank", " abc", "abc"),
                ids("trailing tab", "abc\t", "abc"),
                ids("trailing line feed", "abc\n", "abc"),
                ids("trailing no-break space", "abc\u00a0", "abc"),
                ids("zero-width joiner", "a\u200db", "ab"),
                ids("control character", "a\u0000b", "ab"),
                ids("leading zero", "007", "7"),
                ids("decimal", "1.0", "1"),
                ids("large numbers one apart", "9007199254740993", "9007199254740992"),
                ids("wildcard", "a%", "ab"),
                ids("glob", "a*", "ab"),
                ids("backslash", "a\\b", "ab"),
                ids("quote", "a'b", "a''b"),
                ids("emoji", "😀", "😁"),
                ids("many emoji", "😀".repeat(128), "😀".repeat(127) + "😁"),
                ids("emoji beyond any byte limit", "😀".repeat(255), "😀".repeat(255) + "😀"),
                ids("many combining marks", "e\u0301".repeat(200), "e\u0301".repeat(199) + "\u00e9"),
                ids("255 bytes", "x".repeat(254) + "y", "x".repeat(254) + "z"),
                ids("255 and 256 bytes", "x".repeat(255), "x".repeat(256)),
                ids("256 bytes", "x".repeat(255) + "y", "x".repeat(255) + "z"),
                ids("long ids that differ at the end", LONG + "y", LONG + "z"),
                ids("an id that poses as the digest of a long one", keyOf(LONG).storedId(), LONG),
                ids("ids that begin like a digest", "sha256:00", "sha256:01"),
                ids("unpaired surrogates", "\ud800", "\ud801"),
                ids(
                        "code units that pose as the bytes of another id",
                        "\u7368\u6132\u3536\u3a78\ud880",
                        "sha256:x\u0600"),
                ids("unpaired surrogate and its replacement", "a\udc00", "a?"),
                ids("unpaired surrogate and the replacement character", "a\udc00", "a\ufffd"));
    }

    private static Stream<Arguments> consumers() {
        return Stream.of(
                keys("two consumers of one message", "orders", "A", "billing", "A"),
                keys("colon between the parts", "a:b", "c", "a", "b:c"),
                keys("slash between the parts", "a/b", "c", "a", "b/c"),
                keys("bar between the parts", "a|b", "c", "a", "b|c"),
                keys("blank between the parts", "a b", "c", "a", "b c"),
                keys("escaped separator", "a\\:b", "c", "a\\", "b:c"),
                keys("percent escape", "a%3Ab", "c", "a:b", "c"),
                keys("braces", "{a}", "c", "a", "{c}"),
                keys("length prefix", "1", "1:a", "1:1", "a"),
                keys("no separator at all", "ab", "c", "a", "bc"),
                keys("case of the consumer", "Orders", "A", "orders", "A"),
                keys("trailing blank of the consumer", "orders ", "A", "orders", "A"),
                keys("control character in the consumer", "a\u0000b", "A", "ab", "A"),
                keys("consumers with long names that differ at the end", LONG + "y", "A", LONG + "z", "A"),
                keys("parts the other way round", "a", "b", "b", "a"));
    }

    private static Arguments ids(String name, String one, String other) {
        return keys(name, "orders", one, "orders", other);
    }

    private static Arguments keys(String name, String consumer, String id, String otherConsumer, String otherId) {
        return Arguments.of(
                Named.of(name, List.of(MessageKey.of(consumer, id), MessageKey.of(otherConsumer, otherId))));
    }

    static MessageKey keyOf(String id) {
        return MessageKey.of("orders", id);
    }

    /** The same text in another instance, as a redelivery brings it. */
    static MessageKey copyOf(MessageKey key) {
        return MessageKey.of(copyOf(key.consumer()), copyOf(key.messageId()));
    }

    private static String copyOf(String text) {
        return new String(text.toCharArray());
    }
}
