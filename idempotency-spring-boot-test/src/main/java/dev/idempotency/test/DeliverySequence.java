package dev.idempotency.test;

import dev.idempotency.IdempotencyMode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A sequence of deliveries and what is to become of each, in the modes that it is for. */
record DeliverySequence(String name, Set<IdempotencyMode> modes, boolean sharedOnly, List<Step> steps) {

    private static final String RESOURCE = "sequences.json";

    /** Reads the sequences of the kit; whatever is not understood in them is an error. */
    static List<DeliverySequence> all() {
        try (InputStream json = DeliverySequence.class.getResourceAsStream(RESOURCE)) {
            return parse(JsonMapper.shared().readTree(json));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    static List<DeliverySequence> parse(JsonNode root) {
        List<DeliverySequence> sequences = new ArrayList<>();
        members(root, RESOURCE, Set.of("about", "sequences"), (name, value) -> {
            if (name.equals("sequences")) {
                value.forEach(sequence -> sequences.add(sequence(sequence)));
            }
        });
        if (sequences.isEmpty()) {
            throw new IllegalArgumentException(RESOURCE + " has no sequences");
        }
        return sequences;
    }

    private static DeliverySequence sequence(JsonNode node) {
        String name = node.required("name").stringValue();
        members(node, name, Set.of("name", "modes", "stores", "steps"), (member, value) -> {});
        if (node.has("stores") && !"shared".equals(node.get("stores").stringValue())) {
            throw new IllegalArgumentException(name + ": stores " + node.get("stores") + " are not known");
        }
        List<Step> steps = new ArrayList<>();
        for (JsonNode step : node.required("steps")) {
            steps.add(step(name + ", step " + (steps.size() + 1), step));
        }
        return new DeliverySequence(name, modes(node.required("modes")), node.has("stores"), List.copyOf(steps));
    }

    private static Set<IdempotencyMode> modes(JsonNode node) {
        if (node.isString() && node.stringValue().equals("all")) {
            return EnumSet.allOf(IdempotencyMode.class);
        }
        Set<IdempotencyMode> modes = EnumSet.noneOf(IdempotencyMode.class);
        for (JsonNode mode : node.asArray()) {
            modes.add(IdempotencyMode.valueOf(mode.stringValue()));
        }
        return modes;
    }

    private static Step step(String where, JsonNode node) {
        Map<String, String> attributes = new LinkedHashMap<>();
        node.properties()
                .forEach(member -> attributes.put(
                        member.getKey(),
                        member.getValue().isBoolean()
                                ? member.getValue().toString()
                                : member.getValue().stringValue()));
        String what = attributes.remove("do");
        String delivered = attributes.remove("deliver");
        if ((what == null) == (delivered == null)) {
            throw new IllegalArgumentException(where + ": neither a delivery nor an action");
        }
        if (delivered != null) {
            attributes.put("id", delivered);
        }
        return Step.of(where, what != null ? what : "deliver", attributes);
    }

    private static void members(JsonNode node, String where, Set<String> known, BiConsumer<String, JsonNode> consumer) {
        node.properties().forEach(member -> {
            if (!known.contains(member.getKey())) {
                throw new IllegalArgumentException(where + ": '" + member.getKey() + "' is not known");
            }
            consumer.accept(member.getKey(), member.getValue());
        });
    }

    /** Whether the sequence is for the mode, AUTO being for what it comes to outside a transaction. */
    boolean isFor(IdempotencyMode mode, IdempotencyMode effective) {
        return modes.contains(mode) || modes.contains(effective);
    }
}
