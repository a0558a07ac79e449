package dev.idempotency.sample.crash;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The sample's consumer is killed again and again while a handler is in work, over a real broker and a real PostgreSQL.
 * Its payments tell what was lost, and what was done twice.
 */
final class Crash {

    private static final Duration PATIENCE = Duration.ofMinutes(15);

    private final int orders;
    private final int kills;
    private final Path directory;
    private final List<String> arguments;

    /**
     * Plans the crashes.
     *
     * @param orders how many, each of which is published twice
     * @param kills how often the consumer is killed: by what is settled, not by time, since machines differ
     * @param directory for the output of the processes
     * @param arguments further arguments of the consumer
     */
    Crash(int orders, int kills, Path directory, String... arguments) {
        this.orders = orders;
        this.kills = kills;
        this.directory = directory;
        this.arguments = List.of(arguments);
    }

    /** The large form; its last line is the result. */
    public static void main(String... arguments) throws Exception {
        Path directory = Files.createDirectories(
                Path.of("target", "crash-" + ProcessHandle.current().pid()));
        Result result = new Crash(2000, 24, directory, arguments).run();
        System.out.println(result);
        System.exit(result.lost() == 0 && result.doubled() == 0 && result.kills() >= 20 ? 0 : 1);
    }

    /**
     * Returns the result, once all is settled.
     *
     * @throws IllegalStateException if a message was given up, or is not settled in time
     */
    Result run() throws Exception {
        try (CrashBroker broker = CrashBroker.start();
                EmbeddedPostgres database = EmbeddedPostgres.builder().start()) {
            OrdersTwice.publish(broker.url(), orders);
            int killed = rage(broker, database.getJdbcUrl("postgres", "postgres"));
            if (broker.deadLetters() > 0) {
                throw new IllegalStateException(broker.deadLetters() + " messages were given up\n" + output());
            }
            Map<String, Long> payments = JdbcClient.create(database.getPostgresDatabase())
                    .sql("select order_id from payment")
                    .query(String.class)
                    .list()
                    .stream()
                    .collect(Collectors.groupingBy(order -> order, Collectors.counting()));
            long doubled = payments.values().stream().filter(count -> count > 1).count();
            return new Result(orders, killed, orders - payments.size(), doubled);
        }
    }

    /** Returns how often the consumer was killed while a handler was in work. */
    private int rage(CrashBroker broker, String databaseUrl) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        long messages = broker.unsettled();
        int killed = 0;
        Consumer consumer = start(broker, databaseUrl, killed);
        try {
            for (long left = messages; left > 0; left = broker.unsettled()) {
                consumer.check();
                boolean isTime = killed < kills && (messages - left) * (kills + 1) >= messages * (killed + 1);
                if (isTime && consumer.isHandling()) {
                    consumer.kill();
                    killed++;
                    consumer = start(broker, databaseUrl, killed);
                } else {
                    Thread.sleep(isTime ? 1 : 20);
                }
                if (System.nanoTime() > end) {
                    throw new IllegalStateException(left + " messages are not settled\n" + output());
                }
            }
        } finally {
            consumer.stop();
        }
        return killed;
    }

    private Consumer start(CrashBroker broker, String databaseUrl, int number) throws IOException {
        Path inWork = directory.resolve("in-work-" + number);
        List<String> all = new ArrayList<>(List.of(
                "--spring.profiles.active=postgres",
                "--spring.main.web-application-type=none",
                "--spring.main.banner-mode=off",
                "--spring.jms.listener.min-concurrency=4",
                "--spring.jms.listener.max-concurrency=4",
                "--spring.artemis.mode=native",
                "--spring.artemis.broker-url=" + broker.url(),
                "--spring.datasource.url=" + databaseUrl,
                "--spring.datasource.username=postgres",
                "--spring.datasource.password=",
                "--idempotency.later-delay=100ms",
                "--crash.in-work=" + inWork,
                "--logging.level.root=warn"));
        all.addAll(arguments);
        return Consumer.start(all, inWork, directory.resolve("consumer-" + number + ".out"));
    }

    private String output() throws IOException {
        StringBuilder all = new StringBuilder();
        try (var outputs = Files.newDirectoryStream(directory, "*.out")) {
            for (Path each : outputs) {
                all.append(each.getFileName()).append(":\n").append(Files.readString(each));
            }
        }
        return all.toString();
    }

    /**
     * What became of the orders.
     *
     * @param kills how often the consumer was killed while a handler was in work
     * @param lost orders without a payment
     * @param doubled orders with more than one
     */
    record Result(int orders, int kills, long lost, long doubled) {

        @Override
        public String toString() {
            return "crash: orders=" + orders + " kills=" + kills + " lost=" + lost + " doubled=" + doubled;
        }
    }
}
