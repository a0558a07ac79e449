package dev.idempotency.store.redis;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.connection.RedisConnection;

/**
 * Scripts that Lettuce sends one after the other without waiting for answers, each to the primary of its key. By their
 * texts: one that a server no longer knows would fail in the midst of them.
 */
final class LettuceBatch {

    private LettuceBatch() {}

    static boolean isPossibleOn(RedisConnection connection) {
        return connection.getNativeConnection() instanceof RedisClusterAsyncCommands<?, ?>;
    }

    @SuppressWarnings("unchecked")
    static <M> ScriptAnswers<M> run(
            RedisConnection connection, Duration timeout, byte[] script, Map<M, byte[][]> keyAndArguments) {
        RedisClusterAsyncCommands<byte[], byte[]> commands =
                (RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection();
        Map<M, RedisFuture<Long>> sent = new LinkedHashMap<>();
        keyAndArguments.forEach((message, all) -> sent.put(
                message,
                commands.eval(
                        script,
                        ScriptOutputType.INTEGER,
                        new byte[][] {all[0]},
                        Arrays.copyOfRange(all, 1, all.length))));
        return await(sent, System.nanoTime() + timeout.toNanos());
    }

    private static <M> ScriptAnswers<M> await(Map<M, RedisFuture<Long>> sent, long deadline) {
        Map<M, Long> answers = new LinkedHashMap<>();
        RuntimeException failure = null;
        for (Map.Entry<M, RedisFuture<Long>> each : sent.entrySet()) {
            try {
                long left = Math.max(0, deadline - System.nanoTime());
                answers.put(each.getKey(), each.getValue().get(left, TimeUnit.NANOSECONDS));
            } catch (ExecutionException ex) {
                failure = new RedisSystemException("Redis failed to run a script", ex.getCause());
            } catch (TimeoutException ex) {
                failure = new QueryTimeoutException("Redis gave no answer to a script in time", ex);
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
                return new ScriptAnswers<>(answers, new RedisSystemException("Interrupted while Redis answers", ex));
            }
        }
        return new ScriptAnswers<>(answers, failure);
    }
}
