package dev.idempotency.sample.demo;

import dev.idempotency.sample.OrderEnvelopes;
import dev.idempotency.sample.OrderPublisher;
import java.io.PrintStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;

/** Plays the scenario, waits until the broker has nothing left, and accounts for every delivery. */
public final class Demo {

    /** The profile in which the sample plays the demo and ends. */
    public static final String PROFILE = "demo";

    private final OrderPublisher publisher;
    private final OrderEnvelopes envelopes;
    private final ScriptedProvider provider;
    private final OrdersQueue queue;
    private final Accountant accountant;
    private final Audit audit;
    private final DemoProperties properties;

    Demo(
            OrderPublisher publisher,
            OrderEnvelopes envelopes,
            ScriptedProvider provider,
            OrdersQueue queue,
            Accountant accountant,
            Audit audit,
            DemoProperties properties) {
        this.publisher = publisher;
        this.envelopes = envelopes;
        this.provider = provider;
        this.queue = queue;
        this.accountant = accountant;
        this.audit = audit;
        this.properties = properties;
    }

    /**
     * Plays the demo and closes the context. The last line is printed after that, so that it is the last of all.
     *
     * @return the exit code: 0 only if nothing is lost or doubled and all figures agree
     */
    public static int play(ConfigurableApplicationContext context, PrintStream out) {
        Verdict verdict;
        try (context) {
            verdict = context.getBean(Demo.class).play(out);
        }
        verdict.deviations().forEach(deviation -> out.println("demo: DEVIATION " + deviation));
        out.println(verdict.figures().lastLine());
        return verdict.deviations().isEmpty() ? 0 : 1;
    }

    private Verdict play(PrintStream out) {
        Long configured = properties.seed();
        long seed = configured != null ? configured : new Random().nextInt(Integer.MAX_VALUE);
        out.println("demo: seed=" + seed + " (play it again with --demo.seed=" + seed + ")");
        Scenario scenario = Scenario.of(seed);
        provider.follow(scenario);
        send(scenario);
        if (!awaitSettled(scenario)) {
            out.println("demo: not settled within " + properties.timeout().toSeconds()
                    + " s, so all figures are those of an unfinished run");
        }
        Figures figures = accountant.add(scenario);
        out.println("demo: messages=" + figures.messages() + " overlapping-pairs=" + figures.overlaps()
                + " failed-then-succeeded=" + figures.recovered());
        return new Verdict(figures, audit.deviations(figures));
    }

    // All copies of an order are the same text: what a broker delivers again, it does not rewrite.
    private void send(Scenario scenario) {
        Map<String, String> texts = new HashMap<>();
        for (OrderPlan plan : scenario.sends()) {
            publisher.send(texts.computeIfAbsent(plan.orderId(), id -> envelopes.write(plan.order(), messageId(plan))));
        }
    }

    private static @Nullable String messageId(OrderPlan plan) {
        return plan.story() == Story.UNIDENTIFIED ? null : UUID.randomUUID().toString();
    }

    // Bounded: if messages are left when the time is up, the audit says how many and where.
    private boolean awaitSettled(Scenario scenario) {
        long end = System.nanoTime() + properties.timeout().toNanos();
        while (!isSettled(scenario) && System.nanoTime() < end) {
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
        return isSettled(scenario);
    }

    private boolean isSettled(Scenario scenario) {
        return queue.pending() == 0 && queue.settled() == scenario.sends().size();
    }

    private record Verdict(Figures figures, List<String> deviations) {}
}
