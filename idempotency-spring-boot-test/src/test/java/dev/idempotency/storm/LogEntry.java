package dev.idempotency.storm;

import java.time.Instant;

/** One line of a worker's log: what it did with a message, and when. */
record LogEntry(String messageId, long processId, Kind kind, Instant at) {

    /** What a worker does with a message, in this order. */
    enum Kind {
        BEGUN,
        FAILED,
        DONE,
        MARKED
    }

    static LogEntry parse(String line) {
        String[] parts = line.split(" ", -1);
        return new LogEntry(parts[0], Long.parseLong(parts[1]), Kind.valueOf(parts[2]), Instant.parse(parts[3]));
    }

    @Override
    public String toString() {
        return messageId + " " + processId + " " + kind + " " + at;
    }
}
