package dev.idempotency.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
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

/**
 * Runs scripts on a connection of their own. One that a template of the application has bound to the thread may be in
 * the midst of a transaction, which would answer nothing before its end.
 */
final class ScriptConnection {

    private static final int MAX_CAUSES = 20;

    private final FirstConnection connections;

    ScriptConnection(RedisConnectionFactory connections) {
        this.connections =
                new FirstConnection(Objects.requireNonNull(connections, "'connectionFactory' must not be null"));
    }

    /** Runs a script by its digest, or by its text where the server does not know it yet. */
    <R> R run(RedisScript<R> script, String key, String... arguments) {
        ReturnType type = ReturnType.fromJavaType(script.getResultType());
        byte[][] all = keyAndArguments(key, arguments);
        try (RedisConnection connection = connections.get()) {
            RedisScriptingCommands commands = connection.scriptingCommands();
            R answer;
            try {
                answer = commands.evalSha(script.getSha1(), type, 1, all);
            } catch (RuntimeException ex) {
                if (!isUnknownScript(ex)) {
                    throw ex;
                }
                answer = commands.eval(bytes(script.getScriptAsString()), type, 1, all);
            }
            return Objects.requireNonNull(answer, "Redis gave no answer to a script");
        }
    }

    /**
     * Runs a script for each message in one round trip, by its text: one that a server no longer knows would fail in the
     * midst of it.
     */
    <M> Map<M, Long> runAll(RedisScript<Long> script, Map<M, String[]> argumentsByMessage, Function<M, String> keys) {
        byte[] text = bytes(script.getScriptAsString());
        try (RedisConnection connection = connections.get()) {
            connection.openPipeline();
            argumentsByMessage.forEach((message, arguments) -> connection
                    .scriptingCommands()
                    .eval(text, ReturnType.INTEGER, 1, keyAndArguments(keys.apply(message), arguments)));
            Iterator<Object> answers = connection.closePipeline().iterator();
            Map<M, Long> byMessage = new LinkedHashMap<>();
            argumentsByMessage.keySet().forEach(message -> byMessage.put(message, (Long) answers.next()));
            return byMessage;
        }
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
