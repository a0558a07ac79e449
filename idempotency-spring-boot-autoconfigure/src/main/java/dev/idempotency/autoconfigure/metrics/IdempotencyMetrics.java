package dev.idempotency.autoconfigure.metrics;

import dev.idempotency.IdempotencyListener;
import dev.idempotency.MessageOutcome;
import dev.idempotency.Outcome;
import dev.idempotency.StoreOperation;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/**
 * Counts outcomes and times store operations. All counters of a consumer are there, at zero, before its first message.
 *
 * <ul>
 *   <li>{@code idempotency.messages}: counter of guarded calls; {@code consumer}, {@code outcome}
 *   <li>{@code idempotency.dedupe.hits}: counter of messages that were seen before, skipped or not; {@code consumer}
 *   <li>{@code idempotency.skips}: counter of messages that were skipped; {@code consumer}
 *   <li>{@code idempotency.store.operations}: timer; {@code store}, {@code operation}, {@code result}
 * </ul>
 */
final class IdempotencyMetrics implements IdempotencyListener {

    private static final Set<Outcome> HITS =
            EnumSet.of(Outcome.DUPLICATE, Outcome.OBSERVED, Outcome.REPLAYED, Outcome.REPLAY_SKIPPED);
    private static final Set<Outcome> SKIPS = EnumSet.of(Outcome.DUPLICATE, Outcome.REPLAY_SKIPPED);

    private final Supplier<MeterRegistry> registry;
    private final ConcurrentMap<String, ConsumerMeters> consumers = new ConcurrentHashMap<>();
    private final ConcurrentMap<OperationTags, Timer> operations = new ConcurrentHashMap<>();

    IdempotencyMetrics(Supplier<MeterRegistry> registry) {
        this.registry = registry;
    }

    @Override
    public void onConsumer(String consumer) {
        meters(consumer);
    }

    @Override
    public void onOutcome(MessageOutcome outcome) {
        meters(outcome.consumer()).count(outcome.outcome());
    }

    @Override
    public void onStoreOperation(StoreOperation operation) {
        operations
                .computeIfAbsent(
                        new OperationTags(operation.store(), operation.operation(), operation.result()), this::timer)
                .record(operation.duration());
    }

    private ConsumerMeters meters(String consumer) {
        ConsumerMeters known = consumers.get(consumer);
        return known != null
                ? known
                : consumers.computeIfAbsent(consumer, added -> new ConsumerMeters(added, registry.get()));
    }

    private Timer timer(OperationTags tags) {
        return Timer.builder("idempotency.store.operations")
                .description("Calls of the store by the guard")
                .tag("store", tags.store())
                .tag("operation", tags.operation())
                .tag("result", tags.result())
                .register(registry.get());
    }

    private record OperationTags(String store, String operation, String result) {}

    private static final class ConsumerMeters {

        private final Map<Outcome, Counter> outcomes = new EnumMap<>(Outcome.class);
        private final Counter hits;
        private final Counter skips;

        ConsumerMeters(String consumer, MeterRegistry registry) {
            for (Outcome outcome : Outcome.values()) {
                outcomes.put(
                        outcome,
                        Counter.builder("idempotency.messages")
                                .description("Guarded calls by their outcome")
                                .tag("consumer", consumer)
                                .tag("outcome", outcome.label())
                                .register(registry));
            }
            this.hits = Counter.builder("idempotency.dedupe.hits")
                    .description("Messages that had been processed before")
                    .tag("consumer", consumer)
                    .register(registry);
            this.skips = Counter.builder("idempotency.skips")
                    .description("Messages that were skipped as duplicates")
                    .tag("consumer", consumer)
                    .register(registry);
        }

        void count(Outcome outcome) {
            Counter counter = outcomes.get(outcome);
            if (counter != null) {
                counter.increment();
            }
            if (HITS.contains(outcome)) {
                hits.increment();
            }
            if (SKIPS.contains(outcome)) {
                skips.increment();
            }
        }
    }
}
