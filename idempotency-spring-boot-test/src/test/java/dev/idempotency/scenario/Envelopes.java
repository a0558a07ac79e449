package dev.idempotency.scenario;

/** Bodies as producers send them. */
final class Envelopes {

    private Envelopes() {}

    static String withId(String id) {
        return withId(id, 0);
    }

    /** A retry is the same message in other bytes. */
    static String withId(String id, int attempts) {
        return """
                {"job":"urn:babel:orders:created","trace_id":"t","data":{"order":"%s"},\
                "meta":{"id":"%s","queue":"orders"},"attempts":%d}""".formatted(id, id, attempts);
    }

    static String withoutId(String order) {
        return "{\"job\":\"urn:babel:orders:created\",\"trace_id\":\"t\",\"data\":{\"order\":\"" + order + "\"}}";
    }
}
