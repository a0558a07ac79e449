package dev.idempotency.storm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The processes of a storm: as many as there shall be, whatever is done to them. */
final class Workers {

    private static final long PATIENCE_SECONDS = 60;

    private final Path directory;
    private final List<String> arguments;
    private final Random random;
    private final List<Process> running = new ArrayList<>();
    private final Set<Long> killed = new LinkedHashSet<>();

    Workers(Path directory, StormPlan plan, String brokerUrl, int redisPort, Random random) throws IOException {
        this.directory = directory;
        this.random = random;
        this.arguments = List.of(
                "--spring.artemis.broker-url=" + brokerUrl,
                "--spring.data.redis.port=" + redisPort,
                "--storm.threads=" + plan.threads(),
                "--storm.log=" + directory);
        for (int i = 0; i < plan.processes(); i++) {
            startOne();
        }
    }

    private void startOne() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                // many short lives on few cores
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                StormWorker.class.getName()));
        command.addAll(arguments);
        Path output = Files.createTempFile(directory, "worker-", ".out");
        running.add(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start());
    }

    /** Kills one that has begun to work, as a machine that fails does, and starts another. */
    void killOne() throws IOException, InterruptedException {
        List<Process> busy = new ArrayList<>();
        for (Process each : running) {
            if (Files.exists(directory.resolve(each.pid() + ".log"))
                    && Files.size(directory.resolve(each.pid() + ".log")) > 0) {
                busy.add(each);
            }
        }
        if (busy.isEmpty()) {
            return;
        }
        Process victim = busy.get(random.nextInt(busy.size()));
        victim.destroyForcibly().waitFor();
        running.remove(victim);
        killed.add(victim.pid());
        startOne();
    }

    Set<Long> killed() {
        return killed;
    }

    /** Fails if a process has ended by itself. */
    void check() throws IOException {
        for (Process each : running) {
            if (!each.isAlive()) {
                throw new IllegalStateException("Worker ended with " + each.exitValue() + "\n" + output());
            }
        }
    }

    /** What the processes have printed. */
    String output() throws IOException {
        StringBuilder all = new StringBuilder();
        try (var outputs = Files.newDirectoryStream(directory, "*.out")) {
            for (Path each : outputs) {
                all.append(each.getFileName()).append(":\n").append(Files.readString(each));
            }
        }
        return all.toString();
    }

    void stop() throws InterruptedException {
        running.forEach(Process::destroy);
        for (Process each : running) {
            if (!each.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                each.destroyForcibly();
            }
        }
    }
}
