package dev.idempotency.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.message.shapes.HiddenShapes;
import java.math.BigInteger;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

class ParsedBodyTests {

    private final BodyIds bodies = new BodyIds(IdPointer.parse("/meta/id"));

    // The shape of com.babelqueue.Envelope.
    record Envelope(String job, String trace_id, Map<String, Object> data, Meta meta, int attempts) {}

    record Meta(String id, String queue, String lang, int schema_version, long created_at) {}

    @Test
    void readsEnvelopeRecord() {
        Meta meta = new Meta("m-1", "orders", "php", 1, 0);

        assertThat(find(new Envelope("urn:x:y", "t", Map.of(), meta, 0))).isEqualTo(new BodyId(true, "m-1"));
        assertThat(find(new Envelope(" ", "t", Map.of(), meta, 0))).isEqualTo(new BodyId(false, "m-1"));
        assertThat(find(new Envelope("urn:x:y", "t", Map.of(), new Meta(" ", "", "", 1, 0), 0)))
                .isEqualTo(BodyId.NONE);
        assertThat(find(new Envelope("urn:x:y", "t", Map.of(), null, 0))).isEqualTo(BodyId.NONE);
    }

    public static final class Bean {
        public String getUrn() {
            return "urn:x:y";
        }

        public BeanMeta getMeta() {
            return new BeanMeta();
        }
    }

    public static final class BeanMeta {
        public long getId() {
            return 90071992547409931L;
        }
    }

    record RecordOfBean(BeanMeta meta) {}

    @Test
    void readsBeansAndMixtures() {
        assertThat(find(new Bean())).isEqualTo(new BodyId(true, "90071992547409931"));
        assertThat(find(new RecordOfBean(new BeanMeta()))).isEqualTo(new BodyId(false, "90071992547409931"));
        assertThat(find(Map.of("meta", new BeanMeta(), "job", "x"))).isEqualTo(new BodyId(true, "90071992547409931"));
        assertThat(find(Map.of("meta", tree("{\"id\":5}")))).isEqualTo(new BodyId(false, "5"));
        assertThat(find(new Holder(Map.of("id", UUID.fromString("0c5d7f4e-6a31-4b0c-9a53-6d7f0e1b2a01")))))
                .isEqualTo(new BodyId(false, "0c5d7f4e-6a31-4b0c-9a53-6d7f0e1b2a01"));
    }

    record Holder(Object meta) {}

    @Test
    void readsClassesThatAreNotPublic() {
        assertThat(find(HiddenShapes.privateRecord("m-1"))).isEqualTo(new BodyId(false, "m-1"));
        assertThat(find(HiddenShapes.anonymous("m-1"))).isEqualTo(new BodyId(false, "m-1"));
        assertThat(find(HiddenShapes.subclass("m-1"))).isEqualTo(new BodyId(false, "m-1"));
    }

    @Test
    void givesNoIdForOtherShapes() {
        assertThat(find(HiddenShapes.withoutMeta())).isEqualTo(BodyId.NONE);
        assertThat(find(HiddenShapes.privateAccessor())).isEqualTo(BodyId.NONE);
        assertThat(find(HiddenShapes.staticAccessor())).isEqualTo(BodyId.NONE);
        assertThat(find(HiddenShapes.voidAccessor())).isEqualTo(BodyId.NONE);
        assertThat(find(HiddenShapes.accessorWithArgument())).isEqualTo(BodyId.NONE);
        assertThat(find(new Holder(Map.of("id", 1.5)))).isEqualTo(BodyId.NONE);
        assertThat(find(new Holder(Optional.of("x")))).isEqualTo(BodyId.NONE);
        assertThat(find(new Holder("text"))).isEqualTo(BodyId.NONE);
    }

    @Test
    void givesNoIdIfAnAccessorThrows() {
        assertThat(find(HiddenShapes.throwing(new IllegalStateException()))).isEqualTo(BodyId.NONE);
        assertThat(find(HiddenShapes.throwing(new NoClassDefFoundError()))).isEqualTo(BodyId.NONE);
    }

    @Test
    void asksNoAccessorOfABodyThatHasNoPlaceForAnId() {
        assertThat(find(HiddenShapes.countingJob())).isEqualTo(BodyId.NONE);
        assertThat(HiddenShapes.jobCalls()).isZero();
    }

    @Test
    void doesNotTouchTypesOfTheJdkNorCollections() {
        assertThat(find(List.of(new Bean()))).isEqualTo(BodyId.NONE);
        assertThat(find(new Bean[] {new Bean()})).isEqualTo(BodyId.NONE);
        assertThat(find(5)).isEqualTo(BodyId.NONE);
        assertThat(find(new Object())).isEqualTo(BodyId.NONE);
        assertThat(find(Thread.State.NEW)).isEqualTo(BodyId.NONE);
        assertThat(new BodyIds(IdPointer.parse("/message")).find(new IllegalStateException("x")))
                .isEqualTo(BodyId.NONE);
        assertThat(new BodyIds(IdPointer.parse("/hashCode")).find(new Bean())).isEqualTo(BodyId.NONE);
        assertThat(find(new MetaList())).isEqualTo(BodyId.NONE);
    }

    static final class MetaList extends ArrayList<String> {
        public BeanMeta getMeta() {
            return new BeanMeta();
        }
    }

    @Test
    void readsMapAndTreeAlike() {
        String json = "{\"job\":\"x\",\"meta\":{\"id\":90071992547409931234}}";

        assertThat(find(tree(json))).isEqualTo(new BodyId(true, "90071992547409931234"));
        assertThat(find(JsonMapper.shared().readValue(json, Map.class)))
                .isEqualTo(new BodyId(true, "90071992547409931234"));
        assertThat(find(tree("[" + json + "]"))).isEqualTo(BodyId.NONE);
        assertThat(find(tree("\"x\""))).isEqualTo(BodyId.NONE);
        assertThat(find(JsonNodeFactory.instance.missingNode())).isEqualTo(BodyId.NONE);
        assertThat(find(tree("{\"meta\":{\"id\":1.0}}"))).isEqualTo(BodyId.NONE);
        assertThat(find(tree("{\"meta\":{\"id\":1e3}}"))).isEqualTo(BodyId.NONE);
    }

    @Test
    void readsFrameInMapAndTree() {
        String envelope = "{\"job\":\"x\",\"meta\":{\"id\":\"m-1\"}}";
        Map<String, Object> frame = new HashMap<>(Map.of("__bq_frame", 1, "body", envelope));

        assertThat(find(frame)).isEqualTo(new BodyId(true, "m-1"));
        assertThat(find(JsonMapper.shared().valueToTree(frame))).isEqualTo(new BodyId(true, "m-1"));
        for (Object mark : new Object[] {1L, (short) 1, (byte) 1, BigInteger.ONE}) {
            frame.put("__bq_frame", mark);
            assertThat(find(frame)).isEqualTo(new BodyId(true, "m-1"));
        }
        for (Object mark : new Object[] {0, -1L, BigInteger.ZERO, 1.0, "1", true}) {
            frame.put("__bq_frame", mark);
            assertThat(find(frame)).isEqualTo(BodyId.NONE);
        }
        assertThat(find(Map.of("__bq_frame", 1, "meta", Map.of("id", "outer")))).isEqualTo(BodyId.NONE);
    }

    @Test
    void readsPlacesInLists() {
        BodyIds second = new BodyIds(IdPointer.parse("/ids/1"));

        assertThat(second.find(Map.of("ids", List.of("a", "b")))).isEqualTo(new BodyId(false, "b"));
        assertThat(second.find(tree("{\"ids\":[\"a\",\"b\"]}"))).isEqualTo(new BodyId(false, "b"));
        assertThat(second.find(Map.of("ids", List.of("a")))).isEqualTo(BodyId.NONE);
        assertThat(second.find(tree("{\"ids\":[\"a\"]}"))).isEqualTo(BodyId.NONE);
        assertThat(new BodyIds(IdPointer.parse("/ids/x")).find(tree("{\"ids\":[\"a\"]}")))
                .isEqualTo(BodyId.NONE);
    }

    @Test
    void takesMapThatRefusesTextKeysForEmpty() {
        assertThat(find(new TreeMap<>(Map.of(1, "x")))).isEqualTo(BodyId.NONE);
        assertThat(find(new AbstractMap<String, String>() {
                    @Override
                    public Set<Entry<String, String>> entrySet() {
                        throw new IllegalStateException();
                    }
                }))
                .isEqualTo(BodyId.NONE);
    }

    private BodyId find(@Nullable Object body) {
        return bodies.find(body);
    }

    private static JsonNode tree(String json) {
        return JsonMapper.shared().readTree(json);
    }
}
