package dev.idempotency.message;

/**
 * A part of a message in which an id may be looked for. The order of looking is fixed and does not depend on the order
 * in which sources are named.
 *
 * @since 0.1
 */
public enum MessageIdSource {

    /** The body. Without it the body is never read. */
    BODY,

    /** The headers, or properties, that a producer sets. */
    HEADERS,

    /**
     * The id that the broker itself gives, such as {@code JMSMessageID}. It changes whenever a message is sent again,
     * also by a redrive or a delayed copy, so it tells fewer duplicates than an id of the producer. Used last.
     */
    BROKER_ID
}
