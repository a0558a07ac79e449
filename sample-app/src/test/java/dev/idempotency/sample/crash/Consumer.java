package dev.idempotency.sample.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that consumes, seen from outside. */
final class Consumer {

    private static final long PATIENCE_SECONDS = 30;

    private final Process process;
    private final Path inWork;
    private final Path output;

    private Consumer(Process process, Path inWork, Path output) {
        this.process = process;
        this.inWork = inWork;
        this.output = output;
    }

    static Consumer start(List<String> arguments, Path inWork, Path output) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                // many short lives on few cores
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                CrashConsumer.class.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new Consumer(process, inWork, output);
    }

    /** Returns whether a handler is in work just now. */
    boolean isHandling() throws IOException {
        if (!Files.exists(inWork)) {
            return false;
        }
        byte[] running = Files.readAllBytes(inWork);
        return running.length > 0 && running[0] > 0;
    }

    /** As a machine does that fails. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Fails if the process has ended by itself. */
    void check() throws IOException {
        if (!process.isAlive()) {
            throw new IllegalStateException(
                    "Consumer ended with " + process.exitValue() + "\n" + Files.readString(output));
        }
    }

    void stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            kill();
        }
    }
}
