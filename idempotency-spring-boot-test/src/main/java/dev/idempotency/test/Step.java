package dev.idempotency.test;

import dev.idempotency.MessageKey;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One step of a sequence, with nothing in it that is not understood. */
record Step(String where, Action action, Map<String, String> attributes) {

    private static final String DEFAULT_CONSUMER = "orders";

    /** What a step can do, and the attributes it may have. */
    enum Action {
        DELIVER("deliver", "id", "expect", "outcome", "consumer", "namespace", "traceId", "mark", "counts"),
        START("start", "id", "run", "renewal", "consumer", "namespace"),
        FINISH("finish", "run", "outcome", "counts"),
        FORGET("forget", "id", "consumer", "namespace"),
        REMEMBER("remember", "id", "answers", "consumer", "namespace"),
        CLAIM("claim", "id", "owner", "answers", "consumer", "namespace"),
        RELEASE("release", "id", "owner", "consumer", "namespace"),
        BEGIN("begin"),
        COMMIT("commit"),
        ROLLBACK("rollback"),
        STORE_DOWN("store down"),
        STORE_UP("store up"),
        RETENTION_PASSES("retention passes"),
        HALF_RETENTION_PASSES("half the retention passes"),
        HALF_RETENTION_AND_MOMENT_PASSES("half the retention and a moment passes"),
        LEASE_PASSES("lease passes");

        private final String text;
        private final Set<String> attributes;

        Action(String text, String... attributes) {
            this.text = text;
            this.attributes = Set.of(attributes);
        }

        static @Nullable Action of(String text) {
            return Arrays.stream(values())
                    .filter(action -> action.text.equals(text))
                    .findFirst()
                    .orElse(null);
        }
    }

    private static final Map<String, Set<String>> VALUES = Map.of(
            "expect", Set.of("run", "skip", "later"),
            "outcome", Set.of("ok", "throw", "checked", "error"),
            "renewal", Set.of("blocked"),
            "mark", Set.of("fails"),
            "counts", Set.of("overlapped", "unmarked"),
            "answers", Set.of("true", "false", "ACQUIRED", "HELD", "SEEN"));

    static Step of(String where, String text, Map<String, String> attributes) {
        Action action = Action.of(text);
        if (action == null) {
            throw new IllegalArgumentException(where + ": '" + text + "' is not known");
        }
        attributes.forEach((name, value) -> {
            if (!action.attributes.contains(name)) {
                throw new IllegalArgumentException(where + ": '" + text + "' has no '" + name + "'");
            }
            if (VALUES.containsKey(name) && !VALUES.get(name).contains(value)) {
                throw new IllegalArgumentException(where + ": '" + name + "' cannot be '" + value + "'");
            }
        });
        Step step = new Step(where, action, Map.copyOf(attributes));
        if (step.expects("run") != (action == Action.DELIVER && step.has("outcome"))) {
            throw new IllegalArgumentException(where + ": an outcome is that of a run");
        }
        return step;
    }

    boolean has(String name) {
        return attributes.containsKey(name);
    }

    boolean expects(String expected) {
        return expected.equals(attributes.get("expect"));
    }

    String get(String name) {
        String value = attributes.get(name);
        if (value == null) {
            throw new IllegalArgumentException(where + ": '" + name + "' is missing");
        }
        return value;
    }

    String consumer() {
        return attributes.getOrDefault("consumer", DEFAULT_CONSUMER);
    }

    String namespace() {
        return attributes.getOrDefault("namespace", "");
    }

    MessageKey key() {
        return MessageKey.of(consumer(), get("id"));
    }

    @Override
    public String toString() {
        return where;
    }
}
