package dev.idempotency.store.redis;

import dev.idempotency.Claim;
import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.MessageKey;
import dev.idempotency.MessageState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * A store in Redis, shared by all processes that use one namespace.
 *
 * <p><strong>Guarantee.</strong> Each verb is one script on one key, so one atomic step and one round trip; a batch is
 * one round trip of such steps. All of them go to the primary, whatever the client prefers for reading. Times are those
 * of the server's clock, in milliseconds, and every key expires by itself. A claim or a completion whose answer was lost,
 * and that the client sends again, is recognised by its owner. A {@link #remember} has none: sent again it answers false,
 * and a success in mode AFTER_SUCCESS is counted as overlapped although nothing did. Nor has a {@link #forget}, which may
 * then remove a mark that was made meanwhile.
 *
 * <p><strong>Not</strong> safe against a Redis that loses what it has acknowledged: a fail-over to a replica that lags
 * behind, a flush, a restart without persistence or an eviction policy for all keys each let a message run again.
 *
 * <p>Keys are UTF-8 text, {@code prefix + namespace:consumer:id}, with percent signs, colons and opening braces of
 * namespace and consumer percent-encoded. Needs Redis 5 or later. Throws what Spring Data Redis throws if Redis does not
 * answer. Safe for use by many threads.
 *
 * @since 0.1
 */
public final class RedisIdempotencyStore implements ClaimingIdempotencyStore {

    /** What keys begin with by default. */
    public static final String DEFAULT_PREFIX = "idempotency:";

    // Some thousand years: what is much longer would be no number to Redis.
    private static final Duration LONGEST = Duration.ofDays(1_000_000);
    private static final Claim[] CLAIMS = {Claim.ACQUIRED, Claim.HELD, Claim.SEEN};

    private final ScriptConnection scripts;
    private final MessageKeys keys;
    private final String retention;

    /**
     * Creates a store that uses connections as they are: no template, serializer or transaction of the application
     * matters.
     *
     * @param connectionFactory the connections
     * @param prefix what keys begin with
     * @param namespace what sets this application apart from others on the same Redis, not blank
     * @param retention how long a mark lives, positive
     * @throws IllegalArgumentException if the namespace is blank or the retention is not positive
     */
    public RedisIdempotencyStore(
            RedisConnectionFactory connectionFactory, String prefix, String namespace, Duration retention) {
        if (namespace.isBlank()) {
            throw new IllegalArgumentException("'namespace' must not be blank");
        }
        this.scripts = new ScriptConnection(connectionFactory);
        this.keys = new MessageKeys(Objects.requireNonNull(prefix, "'prefix' must not be null"), namespace);
        this.retention = millis(retention, "retention");
    }

    @Override
    public boolean seen(MessageKey key) {
        return isTrue(run(MessageScripts.SEEN, key));
    }

    @Override
    public boolean remember(MessageKey key) {
        return isTrue(run(MessageScripts.REMEMBER, key, retention));
    }

    @Override
    public void forget(MessageKey key) {
        run(MessageScripts.FORGET, key);
    }

    @Override
    public Claim claim(MessageKey key, String owner, Duration lease) {
        return claimOf(run(MessageScripts.CLAIM, key, token(owner), millis(lease, "lease")));
    }

    @Override
    public boolean renew(MessageKey key, String owner, Duration lease) {
        return isTrue(run(MessageScripts.RENEW, key, token(owner), millis(lease, "lease")));
    }

    @Override
    public boolean complete(MessageKey key, String owner) {
        return isTrue(run(MessageScripts.COMPLETE, key, token(owner), retention));
    }

    @Override
    public void release(MessageKey key, String owner) {
        run(MessageScripts.RELEASE, key, token(owner));
    }

    @Override
    public Set<MessageKey> seenAmong(Collection<MessageKey> messages) {
        return trueOf(runAll(MessageScripts.SEEN, with(messages)));
    }

    @Override
    public Set<MessageKey> rememberAll(Collection<MessageKey> messages) {
        return trueOf(runAll(MessageScripts.REMEMBER, with(messages, retention)));
    }

    @Override
    public Map<MessageKey, Claim> claimAll(Collection<MessageKey> messages, String owner, Duration lease) {
        Map<MessageKey, Claim> claims = new LinkedHashMap<>();
        runAll(MessageScripts.CLAIM, with(messages, token(owner), millis(lease, "lease")))
                .forEach((key, answer) -> claims.put(key, claimOf(answer)));
        return claims;
    }

    @Override
    public Set<MessageKey> renewAll(Map<MessageKey, String> owners, Duration lease) {
        String millis = millis(lease, "lease");
        Map<MessageKey, String[]> arguments = new LinkedHashMap<>();
        owners.forEach((key, owner) -> arguments.put(key, new String[] {token(owner), millis}));
        Map<MessageKey, Long> known =
                scripts.runAll(MessageScripts.RENEW, arguments, keys::of).known();
        Set<MessageKey> kept = new LinkedHashSet<>(owners.keySet());
        kept.removeIf(key -> known.containsKey(key) && !isTrue(known.get(key)));
        return kept;
    }

    @Override
    public Set<MessageKey> completeAll(Collection<MessageKey> messages, String owner) {
        return trueOf(runAll(MessageScripts.COMPLETE, with(messages, token(owner), retention)));
    }

    @Override
    public void releaseAll(Collection<MessageKey> messages, String owner) {
        runAll(MessageScripts.RELEASE, with(messages, token(owner)));
    }

    /** Returns since when the message is in flight, or until when it is seen. */
    @Override
    public MessageState state(MessageKey key) {
        List<?> answer = scripts.run(MessageScripts.STATE, keys.of(key));
        long seenUntil = (Long) answer.get(0);
        long heldSince = (Long) answer.get(1);
        if (seenUntil > 0) {
            return MessageState.seen(Instant.ofEpochMilli(seenUntil));
        }
        return heldSince > 0 ? MessageState.inFlight(Instant.ofEpochMilli(heldSince)) : MessageState.unknown();
    }

    private Long run(RedisScript<Long> script, MessageKey key, String... arguments) {
        return scripts.run(script, keys.of(key), arguments);
    }

    private Map<MessageKey, Long> runAll(RedisScript<Long> script, Map<MessageKey, String[]> arguments) {
        return scripts.runAll(script, arguments, keys::of).all();
    }

    private static Map<MessageKey, String[]> with(Collection<MessageKey> messages, String... arguments) {
        Map<MessageKey, String[]> all = new LinkedHashMap<>();
        messages.forEach(key -> all.put(key, arguments));
        return all;
    }

    private static Set<MessageKey> trueOf(Map<MessageKey, Long> answers) {
        Set<MessageKey> matching = new LinkedHashSet<>();
        answers.forEach((key, answer) -> {
            if (isTrue(answer)) {
                matching.add(key);
            }
        });
        return matching;
    }

    private static boolean isTrue(Long answer) {
        return answer == 1;
    }

    private static Claim claimOf(Long answer) {
        return CLAIMS[Math.toIntExact(answer)];
    }

    // One word, and none that stands for no owner.
    private static String token(String owner) {
        StringBuilder token = new StringBuilder("@");
        for (int i = 0; i < owner.length(); i++) {
            char each = owner.charAt(i);
            if (each <= ' ' || each == '%') {
                token.append('%').append(Integer.toHexString(0x100 | each), 1, 3);
            } else {
                token.append(each);
            }
        }
        return token.toString();
    }

    // Rounded up: a time below a millisecond is none to Redis.
    private static String millis(Duration time, String name) {
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException("'" + name + "' must be positive: " + time);
        }
        Duration bounded = time.compareTo(LONGEST) < 0 ? time : LONGEST;
        return Long.toString(bounded.plusNanos(999_999).toMillis());
    }
}
