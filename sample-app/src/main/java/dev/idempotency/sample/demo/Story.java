package dev.idempotency.sample.demo;

/** What happens to an order on its way to being charged once. */
enum Story {

    /** Its copies arrive at any time. */
    PLAIN,

    /** Its first run lasts until a copy has been handed to another consumer. */
    OVERLAPPING,

    /** Its first run lasts until a copy has given up waiting and has gone back to the broker. */
    SLOW,

    /** The provider is down whenever a copy arrives for the first time: only a redelivery succeeds. */
    FAILING,

    /** Its first run fails while a copy is waiting for it, which must then take over. */
    FAILING_IN_FLIGHT,

    /** Its producer sets no message id. It is sent once. */
    UNIDENTIFIED
}
