package dev.idempotency.sample.demo;

import dev.idempotency.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Compares the figures with what was promised, with the broker and with the guard's meters. */
final class Audit {

    private final OrdersQueue queue;
    private final MeterRegistry meters;

    Audit(OrdersQueue queue, MeterRegistry meters) {
        this.queue = queue;
        this.meters = meters;
    }

    /** Returns a sentence for each deviation; none if all is well. */
    List<String> deviations(Figures figures) {
        Findings findings = new Findings();
        promises(figures, findings);
        scenario(figures, findings);
        broker(figures, findings);
        meters(figures, findings);
        return findings.sentences();
    }

    private static void promises(Figures figures, Findings findings) {
        findings.equal("lost orders", 0, figures.lost());
        findings.equal("doubled payments", 0, figures.doubled());
        int accounted = figures.effects() + figures.duplicates() + figures.inFlight() + figures.failures();
        findings.equal("effects + duplicates + in-flight + failures", figures.deliveries(), accounted);
    }

    // A demo in which nothing happened would prove nothing.
    private static void scenario(Figures figures, Findings findings) {
        findings.equal("orders", Scenario.ORDERS, figures.orders());
        findings.atLeast("deliveries", 600, figures.deliveries());
        findings.atLeast("overlapping pairs", 100, figures.overlaps());
        findings.atLeast("orders that failed first and succeeded on redelivery", 20, figures.recovered());
        findings.atLeast("deliveries given back while in flight", 1, figures.inFlight());
        findings.atLeast("orders without a message id", 1, figures.unidentified());
    }

    private void broker(Figures figures, Findings findings) {
        findings.equal("messages left on the queue", 0, queue.pending());
        findings.equal("messages in the dead letters", 0, queue.deadLetters());
        findings.equal("messages that the broker saw settled", figures.messages(), queue.settled());
        findings.equal("effects + duplicates", queue.settled(), figures.effects() + figures.duplicates());
        findings.equal("deliveries as the container saw them", figures.deliveries(), figures.handedOver());
    }

    private void meters(Figures figures, Findings findings) {
        Map<Outcome, Integer> expected = Map.of(
                Outcome.PROCESSED, figures.effects() - figures.unidentified(),
                Outcome.DUPLICATE, figures.duplicates(),
                Outcome.IN_FLIGHT, figures.inFlight(),
                Outcome.FAILED, figures.failures(),
                Outcome.UNIDENTIFIED, figures.unidentified());
        for (Outcome outcome : Outcome.values()) {
            findings.equal(
                    "idempotency.messages{outcome=" + outcome.label() + "}",
                    expected.getOrDefault(outcome, 0),
                    count("idempotency.messages", "outcome", outcome.label()));
        }
        findings.equal("idempotency.skips", figures.duplicates(), count("idempotency.skips", "consumer", "payments"));
        findings.equal(
                "idempotency.dedupe.hits",
                figures.duplicates(),
                count("idempotency.dedupe.hits", "consumer", "payments"));
    }

    private long count(String meter, String tag, String value) {
        Counter counter = meters.find(meter).tag(tag, value).counter();
        return counter == null ? -1 : Math.round(counter.count());
    }

    private record Findings(List<String> sentences) {

        Findings() {
            this(new ArrayList<>());
        }

        void equal(String what, long expected, long actual) {
            if (expected != actual) {
                sentences.add(what + ": " + actual + " instead of " + expected);
            }
        }

        void atLeast(String what, long least, long actual) {
            if (actual < least) {
                sentences.add(what + ": " + actual + ", fewer than " + least);
            }
        }
    }
}
