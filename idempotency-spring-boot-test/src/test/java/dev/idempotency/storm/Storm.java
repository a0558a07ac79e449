package dev.idempotency.storm;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.MessageKey;
import dev.idempotency.store.redis.StormRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Many processes handle many copies of many messages over a real broker and a real Redis, and one after the other is
 * killed while it works. Each writes down what it does; the log tells what was lost, and what was done twice.
 */
final class Storm {

    private static final Duration PATIENCE = Duration.ofMinutes(15);

    private final StormPlan plan;
    private final Path directory;
    private final Random random = new Random(42);

    Storm(StormPlan plan, Path directory) {
        this.plan = plan;
        this.directory = directory;
    }

    /** The large form; its last line is the tally. */
    public static void main(String... arguments) throws Exception {
        Path directory = Files.createDirectories(
                Path.of("target", "storm-" + ProcessHandle.current().pid()));
        StormPlan plan = new StormPlan(20_000, 4, 8, 40, 20);
        Tally tally = new Storm(plan, directory).run();
        System.out.println(tally);
        boolean held = tally.lost() == 0 && tally.doubled() == 0 && tally.kills() >= plan.fewestKills();
        System.exit(held ? 0 : 1);
    }

    /**
     * Returns the tally, once all is settled.
     *
     * @throws IllegalStateException if something is left over: a message, or a mark that is missing
     */
    Tally run() throws Exception {
        try (StormRedis redis = StormRedis.start();
                StormBroker broker = StormBroker.start()) {
            broker.send(plan.deliveries(random));
            Workers workers = new Workers(directory, plan, broker.url(), redis.port(), random);
            try {
                rage(broker, workers);
            } finally {
                workers.stop();
            }
            Tally tally = Tally.of(plan.messages(), workers.killed(), WorkLog.read(directory));
            checkLeftOver(broker, redis.store("storm"), tally);
            return tally;
        }
    }

    private void rage(StormBroker broker, Workers workers) throws IOException, InterruptedException {
        long started = System.nanoTime();
        int deliveries = plan.ids() * StormPlan.COPIES;
        for (long left = broker.unsettled(); left > 0; left = broker.unsettled()) {
            Thread.sleep(20);
            workers.check();
            if (plan.isTimeToKill(deliveries - left, workers.killed().size())) {
                workers.killOne();
            }
            if (System.nanoTime() - started > PATIENCE.toNanos()) {
                throw new IllegalStateException(
                        left + " messages are not settled after " + PATIENCE + "\n" + workers.output());
            }
        }
    }

    private void checkLeftOver(StormBroker broker, IdempotencyStore store, Tally tally) {
        if (broker.deadLetters() > 0) {
            throw new IllegalStateException(broker.deadLetters() + " messages were given up. " + tally);
        }
        Set<MessageKey> keys = plan.messages().stream()
                .map(id -> MessageKey.of(StormWorker.QUEUE, id))
                .collect(Collectors.toSet());
        int marks = store.seenAmong(keys).size();
        if (marks != plan.ids()) {
            throw new IllegalStateException("Only " + marks + " of " + plan.ids() + " messages are marked. " + tally);
        }
    }
}
