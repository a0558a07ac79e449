package dev.idempotency.sample.demo;

/**
 * What the demo counted, none of it taken from the guard.
 *
 * @param messages messages put on the queue
 * @param deliveries how often the broker handed one out, by its own count
 * @param handedOver the same, as the container saw it
 * @param effects payments in the ledger
 * @param duplicates deliveries that ended as a success without a call of the handler
 * @param inFlight deliveries that went back to the broker without a call of the handler
 * @param failures runs in which the provider failed
 * @param unidentified payments of orders whose message has no id
 * @param lost orders without a payment
 * @param doubled payments beyond the first of an order
 * @param overlaps orders of which a copy was handed over while another was in work
 * @param recovered orders that failed first and succeeded on redelivery
 */
record Figures(
        int orders,
        int messages,
        int deliveries,
        int handedOver,
        int effects,
        int duplicates,
        int inFlight,
        int failures,
        int unidentified,
        int lost,
        int doubled,
        int overlaps,
        int recovered) {

    String lastLine() {
        return ("demo: orders=%d deliveries=%d effects=%d duplicates=%d in-flight=%d failures=%d unidentified=%d"
                        + " lost=%d doubled=%d")
                .formatted(orders, deliveries, effects, duplicates, inFlight, failures, unidentified, lost, doubled);
    }
}
