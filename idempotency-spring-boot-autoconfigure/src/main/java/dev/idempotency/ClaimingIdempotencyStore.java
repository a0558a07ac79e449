package dev.idempotency;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * A store that can lease a message to exactly one of many callers.
 *
 * <p><strong>Guarantee.</strong> Each verb is one atomic step. Of all callers with different owners, at most one is
 * answered {@link Claim#ACQUIRED} for a message until its lease runs out, it releases or it completes. Claimed and
 * processed are different states, and only the latter is ever answered {@link Claim#SEEN}. Leases are judged by the
 * store's clock.
 *
 * <p>An owner is a token made freshly for each execution, never for a process or thread.
 *
 * @since 0.1
 */
public interface ClaimingIdempotencyStore extends IdempotencyStore {

    /**
     * Claims the message for the owner, in one atomic step.
     *
     * @param key the message
     * @param owner the token of this execution
     * @param lease how long the claim is held unless it is renewed; positive
     * @return ACQUIRED if the owner holds the claim now, also if it held it before (a client may send a command again
     *     whose answer was lost); HELD if another owner does; SEEN if the message has a live mark
     */
    Claim claim(MessageKey key, String owner, Duration lease);

    /**
     * Makes the claim last for the given lease from now on.
     *
     * @param key the message
     * @param owner the token that acquired the claim
     * @param lease how long the claim is held from now on; positive
     * @return false if the owner no longer holds the claim, which is then left as it is
     */
    boolean renew(MessageKey key, String owner, Duration lease);

    /**
     * Marks the message as processed and ends the owner's claim. Always leaves a mark. Another owner's claim is never
     * released: it ends only when its own owner completes or releases it, or its lease runs out.
     *
     * @param key the message
     * @param owner the token that acquired the claim
     * @return false if the owner no longer held the claim, or the message was marked meanwhile by another; a store may
     *     answer true again to the owner whose mark it is, since a client may send a command again whose answer was lost
     */
    boolean complete(MessageKey key, String owner);

    /**
     * Ends the claim while the owner holds it. Never touches a mark or another owner's claim.
     *
     * @param key the message
     * @param owner the token that acquired the claim
     */
    void release(MessageKey key, String owner);

    /**
     * Claims each of the messages, in one round trip where the backend can.
     *
     * @param keys the messages
     * @param owner the token of this execution
     * @param lease how long each claim is held unless it is renewed; positive
     * @return the answer for each message
     */
    default Map<MessageKey, Claim> claimAll(Collection<MessageKey> keys, String owner, Duration lease) {
        Map<MessageKey, Claim> claims = new LinkedHashMap<>();
        for (MessageKey key : keys) {
            claims.put(key, claim(key, owner, lease));
        }
        return claims;
    }

    /**
     * Renews each of the claims, in one round trip where the backend can. The claims may have different owners: this is
     * how all messages in work are renewed together.
     *
     * @param owners the token that acquired the claim, for each message
     * @param lease how long each claim is held from now on; positive
     * @return the messages whose claim is still held by its owner, and those of which a store that answered for others
     *     cannot tell
     */
    default Set<MessageKey> renewAll(Map<MessageKey, String> owners, Duration lease) {
        Set<MessageKey> renewed = new LinkedHashSet<>();
        owners.forEach((key, owner) -> {
            if (renew(key, owner, lease)) {
                renewed.add(key);
            }
        });
        return renewed;
    }

    /**
     * Completes each of the messages, in one round trip where the backend can.
     *
     * @param keys the messages
     * @param owner the token that acquired the claims
     * @return those for which {@link #complete} is true
     */
    default Set<MessageKey> completeAll(Collection<MessageKey> keys, String owner) {
        Set<MessageKey> completed = new LinkedHashSet<>();
        for (MessageKey key : keys) {
            if (complete(key, owner)) {
                completed.add(key);
            }
        }
        return completed;
    }

    /**
     * Releases each of the claims, in one round trip where the backend can.
     *
     * @param keys the messages
     * @param owner the token that acquired the claims
     */
    default void releaseAll(Collection<MessageKey> keys, String owner) {
        for (MessageKey key : keys) {
            release(key, owner);
        }
    }
}
