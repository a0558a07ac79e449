package dev.idempotency.aop;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Values that are never the id of one message, known by the names that libraries and standards give them. */
enum UnfitId {
    SHARED(
            "Many messages share '%s', so that all but the first would be skipped. Name the id of the message itself.",
            "correlationid",
            "xcorrelationid",
            "amqpcorrelationid",
            "kafkacorrelationid",
            "jmscorrelationid",
            "jmscorrelationidasbytes",
            "traceid",
            "xtraceid",
            "bqtraceid",
            "spanid",
            "parentspanid",
            "traceparent",
            "tracestate",
            "xb3traceid",
            "xb3spanid",
            "xb3parentspanid",
            "ubertraceid",
            "xamzntraceid",
            "awstraceheader"),
    NEW(
            "'%s' is new for each delivery, so that no duplicate would be found. Name an id that the sender has set.",
            "deliverytag",
            "amqpdeliverytag",
            "amqpredelivered",
            "jmsredelivered",
            "jmsxdeliverycount",
            "xdeliverycount",
            "kafkadeliveryattempt"),
    PLACE(
            "'%s' is the place of one copy: another copy has another, and a message elsewhere has the same. Name the id"
                    + " of the message itself.",
            "kafkaoffset", "xstreamoffset"),
    /** Too short to mean this anywhere but in headers. */
    SHARED_IN_HEADERS(SHARED.sentence, "b3"),
    GENERATED(
            "Spring makes '%s' anew for each delivery, so that no duplicate would be found. Name an id that the sender"
                    + " has set; a header of the sender's own is headers['%<s'].",
            "id", "timestamp");

    private final String sentence;

    @SuppressWarnings("ImmutableEnumChecker") // a copy that nobody can change
    private final Set<String> names;

    UnfitId(String sentence, String... names) {
        this.sentence = sentence;
        this.names = Set.of(names);
    }

    /** Returns the cause and what to do if this is the name of one; whole names are compared, however they are spelled. */
    @Nullable
    String fault(String name) {
        String plain = name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
        return names.contains(plain) ? sentence.formatted(name) : null;
    }
}
