package dev.idempotency.message;

/** The member names of the wire contract. */
final class Envelope {

    static final String JOB = "job";
    static final String URN = "urn";

    /** Says that the element of a Redis list is a frame, with the envelope as a JSON text in {@link #FRAMED}. */
    static final String FRAME = "__bq_frame";

    static final String FRAMED = "body";

    private Envelope() {}
}
