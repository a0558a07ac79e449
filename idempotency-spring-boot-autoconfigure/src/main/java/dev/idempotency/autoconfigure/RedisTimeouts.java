package dev.idempotency.autoconfigure;

import dev.idempotency.store.redis.RedisIdempotencyStore;
import io.lettuce.core.SocketOptions;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/** How long a message waits for a Redis that is silent: as long as the client waits for an answer, or to connect. */
final class RedisTimeouts {

    private static final Logger log = LoggerFactory.getLogger(RedisIdempotencyStore.class);
    private static final boolean LETTUCE =
            ClassUtils.isPresent("io.lettuce.core.RedisClient", RedisTimeouts.class.getClassLoader());

    // A lease outlives as many answers that do not come.
    private static final int RENEWALS_LOST = 3;

    private RedisTimeouts() {}

    /** Warns of time-outs that nobody has set, or that a claim does not outlast. */
    static void check(RedisConnectionFactory connections, Duration lease) {
        if (LETTUCE && connections instanceof LettuceConnectionFactory lettuce) {
            check(lettuce.getClientConfiguration(), lease);
        }
    }

    private static void check(LettuceClientConfiguration client, Duration lease) {
        Duration answer = client.getCommandTimeout();
        Duration connect = client.getClientOptions()
                .map(options -> options.getSocketOptions().getConnectTimeout())
                .orElse(SocketOptions.DEFAULT_CONNECT_TIMEOUT_DURATION);
        Duration longest = answer.compareTo(connect) > 0 ? answer : connect;
        if (longest.multipliedBy(RENEWALS_LOST).compareTo(lease) > 0 || connect.compareTo(answer) > 0) {
            log.warn(
                    "A silent Redis keeps each message waiting: {} for an answer, {} for a connection, while a lease is {}."
                            + " Set both time-outs of the client, 'spring.data.redis.timeout' and"
                            + " 'spring.data.redis.connect-timeout' where Boot makes the connections, to a few seconds,"
                            + " such as 2s.",
                    answer,
                    connect,
                    lease);
        }
    }
}
