package dev.idempotency.sample.demo;

import dev.idempotency.sample.OrderCreated;

/**
 * One order of the scenario.
 *
 * @param order the order
 * @param story what happens to it
 * @param copies how often its message is put on the queue
 */
record OrderPlan(OrderCreated order, Story story, int copies) {

    String orderId() {
        return order.orderId();
    }

    /** Returns whether the first two copies stand next to each other on the queue, for two consumers to take. */
    boolean startsWithPair() {
        return story == Story.OVERLAPPING || story == Story.SLOW || story == Story.FAILING_IN_FLIGHT;
    }
}
