package dev.idempotency.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.util.ClassUtils;

/**
 * Runs scripts on a connection of their own. One that a template of the application has bound to the thread may be in
 * the midst of a transaction, which would answer nothing before its end.
 */
final class ScriptConnection {

    private static final int MAX_CAUSES = 20;
    private static final boolean LETTUCE =
            ClassUtils.isPresent("io.lettuce.core.RedisClient", ScriptConnection.class.getClassLoader());

    private final FirstConnection connections;

    ScriptConnection(RedisConnectionFactory connections) {
        this.connections =
                new FirstConnection(Objects.requireNonNull(connections, "'connectionFactory' must not be null"));
    }

    <R> R run(RedisScript<R> script, String key, String... arguments) {
        try (RedisConnection connection = connections.get()) {
            return run(connection, script, keyAndArguments(key, arguments));
        }
    }

    /** Runs a script by its digest, or by its text where the server does not know it yet. */
    private static <R> R run(RedisConnection connection, RedisScript<R> script, byte[][] keyAndArguments) {
        ReturnType type = ReturnType.fromJavaType(script.getResultType());
        RedisScriptingCommands commands = connection.scriptingCommands();
        R answer;
        try {
            answer = commands.evalSha(script.getSha1(), type, 1, keyAndArguments);
        } catch (RuntimeException ex) {
            if (!isUnknownScript(ex)) {
                throw ex;
            }
            answer = commands.eval(bytes(script.getScriptAsString()), type, 1, keyAndArguments);
        }
        return Objects.requireNonNull(answer, "Redis gave no answer to a script");
    }

    /**
     * Runs a script for each message, all of them sent before the first answer is waited for where the client can, and on
     * the connection that all threads share: one of its own might not be had just when leases have to be renewed.
     */
    <M> ScriptAnswers<M> runAll(
            RedisScript<Long> script, Map<M, String[]> argumentsByMessage, Function<M, String> keys) {
        Map<M, byte[][]> all = new LinkedHashMap<>();
        argumentsByMessage.forEach(
                (message, arguments) -> all.put(message, keyAndArguments(keys.apply(message), arguments)));
        if (all.isEmpty()) {
            return new ScriptAnswers<>(Map.of(), null);
        }
        try (RedisConnection connection = connections.get()) {
            if (LETTUCE && LettuceBatch.isPossibleOn(connection)) {
                return LettuceBatch.run(connection, connections.timeout(), bytes(script.getScriptAsString()), all);
            }
            return runEach(connection, script, all);
        }
    }

    private static <M> ScriptAnswers<M> runEach(
            RedisConnection connection, RedisScript<Long> script, Map<M, byte[][]> all) {
        Map<M, Long> answers = new LinkedHashMap<>();
        all.forEach((message, arguments) -> answers.put(message, run(connection, script, arguments)));
        return new ScriptAnswers<>(answers, null);
    }

    private static byte[][] keyAndArguments(String key, String[] arguments) {
        List<byte[]> all = new ArrayList<>();
        all.add(bytes(key));
        for (String argument : arguments) {
            all.add(bytes(argument));
        }
        return all.toArray(new byte[0][]);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    // The code with which the server's error begins.
    private static boolean isUnknownScript(Throwable failure) {
        @Nullable Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
            if (cause.getMessage() != null && cause.getMessage().startsWith("NOSCRIPT")) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}
