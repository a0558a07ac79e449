package dev.idempotency.store.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Connections whose first one is made for all callers together. The client has one connection for all threads, and one
 * thread at a time tries to make it: while Redis is silent each caller would wait for the time-outs of all before it.
 * Once made, the client restores it by itself, and callers wait only for their own answers.
 */
final class FirstConnection {

    // Lettuce's own
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

    private final RedisConnectionFactory connections;
    private final AtomicReference<@Nullable CompletableFuture<Void>> attempt = new AtomicReference<>();
    private volatile boolean made;

    FirstConnection(RedisConnectionFactory connections) {
        this.connections = connections;
    }

    RedisConnection get() {
        while (!made) {
            CompletableFuture<Void> own = new CompletableFuture<>();
            CompletableFuture<Void> earlier = attempt.compareAndExchange(null, own);
            if (earlier == null) {
                connect(own);
            } else {
                await(earlier);
            }
        }
        try {
            return connections.getConnection();
        } catch (Throwable ex) {
            // as after a stop and a start of the factory: it is a first one again
            made = false;
            throw ex;
        }
    }

    private void connect(CompletableFuture<Void> own) {
        try {
            connections.getConnection().close();
            made = true;
            own.complete(null);
        } catch (Throwable ex) {
            if (Thread.currentThread().isInterrupted()) {
                // which says nothing of Redis: another caller tries
                own.complete(null);
            } else {
                own.completeExceptionally(ex);
            }
            throw ex;
        } finally {
            attempt.set(null);
        }
    }

    /** How long the client waits for an answer. */
    Duration timeout() {
        return connections instanceof LettuceConnectionFactory lettuce
                ? lettuce.getClientConfiguration().getCommandTimeout()
                : DEFAULT_TIMEOUT;
    }

    private static void await(CompletableFuture<Void> earlier) {
        try {
            earlier.get();
        } catch (ExecutionException ex) {
            throw new RedisConnectionFailureException("Redis cannot be reached, as another caller has found", ex);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new RedisConnectionFailureException("Interrupted while another caller connects to Redis", ex);
        }
    }
}
