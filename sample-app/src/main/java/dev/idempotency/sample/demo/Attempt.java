package dev.idempotency.sample.demo;

/** One delivery of one message, from the hand-over until the container has its listener's answer. */
final class Attempt {

    private final OrderWatch order;
    private final int number;
    private boolean handled;

    Attempt(OrderWatch order, int number) {
        this.order = order;
        this.number = number;
    }

    OrderWatch order() {
        return order;
    }

    /** Notes that the handler was reached. */
    void reachedHandler() {
        handled = true;
    }

    boolean wasHandled() {
        return handled;
    }

    /** Returns the broker's count: 1 for the first delivery of this message. */
    int number() {
        return number;
    }
}
