package dev.idempotency.storm;

import dev.idempotency.storm.LogEntry.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/** What a process has done, on the disk before it goes on: so that it tells the truth after any end of it. */
final class WorkLog {

    private final long processId = ProcessHandle.current().pid();
    private final FileChannel file;
    private final ReentrantLock lock = new ReentrantLock();

    WorkLog(Path directory) throws IOException {
        file = FileChannel.open(
                directory.resolve(processId + ".log"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    void add(String messageId, Kind kind) {
        LogEntry entry = new LogEntry(messageId, processId, kind, Instant.now());
        ByteBuffer line = StandardCharsets.UTF_8.encode(entry + "\n");
        lock.lock();
        try {
            while (line.hasRemaining()) {
                file.write(line);
            }
            file.force(false);
        } catch (IOException ex) {
            throw new IllegalStateException("Log cannot be written", ex);
        } finally {
            lock.unlock();
        }
    }

    /** Returns what all processes have logged so far; a line that a killed one had not ended is none. */
    static List<LogEntry> read(Path directory) throws IOException {
        try (Stream<Path> logs = Files.list(directory)) {
            return logs.filter(each -> each.toString().endsWith(".log"))
                    .flatMap(each -> entries(each).stream())
                    .toList();
        }
    }

    private static List<LogEntry> entries(Path log) {
        try {
            String content = Files.readString(log);
            return content.substring(0, content.lastIndexOf('\n') + 1)
                    .lines()
                    .map(LogEntry::parse)
                    .toList();
        } catch (IOException ex) {
            throw new IllegalStateException("Log cannot be read", ex);
        }
    }
}
