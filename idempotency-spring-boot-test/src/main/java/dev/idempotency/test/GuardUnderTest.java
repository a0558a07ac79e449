package dev.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.IdempotencyMode;
import dev.idempotency.IdempotencyStore;
import dev.idempotency.Outcome;
import dev.idempotency.Work;
import dev.idempotency.core.IdempotencyTemplate;
import dev.idempotency.test.ScriptedHandler.Delivered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The engine on one store, with all that a sequence needs to upset it, and the outcomes it is to count. */
final class GuardUnderTest {

    private final IdempotencyStore store;
    private final FailingStore failing;
    private final RecordingListener listener = new RecordingListener();
    private final IdempotencyTemplate template;
    private final List<Counted> expected = new ArrayList<>();
    private final List<Step> inTransaction = new ArrayList<>();

    GuardUnderTest(SequenceContract contract, String namespace, IdempotencyMode mode) {
        this.store = contract.createStore(namespace, contract.retention());
        this.failing = FailingStore.of(store);
        this.template = IdempotencyTemplate.builder(failing.store())
                .storeName("under-test")
                .mode(mode)
                .lease(contract.lease())
                .inFlightWait(Duration.ZERO)
                .messageIdResolver(contract.messageIdResolver())
                .listener(listener)
                .build();
    }

    /** The store itself, as another process uses it: never down. */
    IdempotencyStore store() {
        return store;
    }

    FailingStore failing() {
        return failing;
    }

    Delivered deliver(Step step, Work<Object> handler) {
        if (step.has("traceId")) {
            Function<String, Object> wrapped = template.wrap(step.consumer(), (String body) -> unchecked(handler));
            return Delivered.of(() -> wrapped.apply(envelope(step.get("id"), step.get("traceId"))));
        }
        return Delivered.of(
                () -> template.execute(step.consumer(), step.get("id"), handler).value());
    }

    private static String envelope(String id, String traceId) {
        ObjectNode envelope = JsonMapper.shared().createObjectNode();
        envelope.put("job", "urn:babel:orders:created").put("trace_id", traceId);
        envelope.putObject("data").put("order_id", 7001);
        envelope.putObject("meta").put("id", id).put("schema_version", 1);
        return envelope.put("attempts", 0).toString();
    }

    private static @Nullable Object unchecked(Work<Object> handler) {
        try {
            return handler.run();
        } catch (RuntimeException | Error ex) {
            throw ex;
        } catch (Throwable ex) {
            throw new IllegalArgumentException("A delivery by an envelope cannot end with a checked exception", ex);
        }
    }

    void expect(Step step, Outcome outcome) {
        String id = step.get("id");
        expected.add(new Counted(step.consumer(), id.isBlank() ? null : id, outcome));
    }

    void expectAtEndOfTransaction(Step step) {
        inTransaction.add(step);
    }

    void transactionEnded(Outcome outcome) {
        inTransaction.forEach(step -> expect(step, outcome));
        inTransaction.clear();
    }

    /** K15: each delivery was counted exactly once, and as what it was. */
    void assertCounts() {
        assertThat(listener.messageOutcomes())
                .as("outcomes that were counted")
                .extracting(told -> new Counted(told.consumer(), told.messageId(), told.outcome()))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    void close() {
        template.close();
    }

    private record Counted(String consumer, @Nullable String messageId, Outcome outcome) {}
}
