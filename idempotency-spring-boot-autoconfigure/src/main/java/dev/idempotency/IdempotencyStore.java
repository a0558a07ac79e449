package dev.idempotency;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A record of processed messages: the smallest thing that can guard a consumer.
 *
 * <p>The store only remembers; what follows from an answer is decided elsewhere. {@link #seen}, {@link #remember} and
 * {@link #forget} make a complete, correct store. A store that can also lease a message to one of several callers is a
 * {@link ClaimingIdempotencyStore}; one that can record it in the caller's transaction is a
 * {@link TransactionalIdempotencyStore}.
 *
 * <p><strong>Rules for every store.</strong> Marks are kept under {@link MessageKey#consumer()} and
 * {@link MessageKey#storedId()}, compared byte for byte. How long a mark lives, its retention, is the store's own and
 * counts from the mark; a later duplicate never extends it; after it the id is new, cleaned up or not. A store that
 * cannot answer throws whatever its library throws; losing a race is an answer. Implementations are safe for use by
 * many threads.
 *
 * @since 0.1
 */
public interface IdempotencyStore {

    /**
     * Returns whether there is a live mark for the message. A claim is not a mark.
     *
     * @param key the message
     */
    boolean seen(MessageKey key);

    /**
     * Marks the message as processed, whatever else the store knows of it. Never extends a live mark.
     *
     * @param key the message
     * @return true if there was no live mark before
     */
    boolean remember(MessageKey key);

    /**
     * Removes the mark of the message, if there is one. A held claim stays: a handler in work will mark again.
     *
     * @param key the message
     */
    void forget(MessageKey key);

    /**
     * Returns those of the messages that have a live mark, in one round trip where the backend can.
     *
     * @param keys the messages
     */
    default Set<MessageKey> seenAmong(Collection<MessageKey> keys) {
        Set<MessageKey> seen = new LinkedHashSet<>();
        for (MessageKey key : keys) {
            if (seen(key)) {
                seen.add(key);
            }
        }
        return seen;
    }

    /**
     * Marks all the messages as processed, in one round trip where the backend can.
     *
     * @param keys the messages
     * @return those that had no live mark before
     */
    default Set<MessageKey> rememberAll(Collection<MessageKey> keys) {
        Set<MessageKey> marked = new LinkedHashSet<>();
        for (MessageKey key : keys) {
            if (remember(key)) {
                marked.add(key);
            }
        }
        return marked;
    }

    /**
     * Returns what is known of the message, as far as the backend can tell.
     *
     * @param key the message
     */
    default MessageState state(MessageKey key) {
        return seen(key) ? MessageState.seen(null) : MessageState.unknown();
    }
}
