package dev.idempotency.listener;

/**
 * What <em>later</em> means for JMS listeners: how a message that could not be decided goes back to the broker.
 *
 * @since 0.1
 */
public enum JmsLater {

    /**
     * The session is rolled back or recovered, after a pause, and the broker delivers the message again. This is the
     * default. The order is kept where the broker keeps it. Each return <b>counts</b> as a delivery: once the broker's
     * attempts are spent (ten on Artemis) it moves the message to the dead letters, though nothing has failed.
     */
    ROLLBACK,

    /**
     * The same message is sent to the same queue with a delivery delay, in the session that received it, and the
     * received one is settled. The delivery count stays at one, so no attempt is spent; in a transacted session both
     * happen or none. The price: the copy has a new {@code JMSMessageID}, and messages behind it overtake it.
     *
     * <p>A message is rolled back instead where a copy would be wrong: on topics, where other subscribers would get it
     * too; if it did not come from the very queue that the container listens to; if the broker would drop the copy as a
     * duplicate ({@code _AMQ_DUPL_ID}, {@code JMS_SQS_DeduplicationId}); if a requester waits for an answer to that
     * {@code JMSMessageID}; and if sending fails. Needs a broker with support for {@code setDeliveryDelay}.
     */
    DELAYED_COPY
}
