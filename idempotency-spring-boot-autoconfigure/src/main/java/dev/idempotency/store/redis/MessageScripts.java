package dev.idempotency.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.data.redis.core.script.DefaultRedisScript;
import org.springframework.data.redis.core.script.RedisScript;

/** The steps that a message can take, each of them atomic. */
final class MessageScripts {

    static final RedisScript<Long> SEEN = step("seen");
    static final RedisScript<Long> REMEMBER = step("remember");
    static final RedisScript<Long> FORGET = step("forget");
    static final RedisScript<Long> CLAIM = step("claim");
    static final RedisScript<Long> RENEW = step("renew");
    static final RedisScript<Long> COMPLETE = step("complete");
    static final RedisScript<Long> RELEASE = step("release");

    @SuppressWarnings("rawtypes")
    static final RedisScript<List> STATE = new DefaultRedisScript<>(text("state"), List.class);

    private MessageScripts() {}

    private static RedisScript<Long> step(String name) {
        return new DefaultRedisScript<>(text(name), Long.class);
    }

    private static String text(String name) {
        return read("message.lua") + read(name + ".lua");
    }

    private static String read(String file) {
        try (InputStream content = MessageScripts.class.getResourceAsStream(file)) {
            if (content == null) {
                throw new IllegalStateException("Script is missing beside " + MessageScripts.class + ": " + file);
            }
            return new String(content.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException ex) {
            throw new IllegalStateException("Script cannot be read: " + file, ex);
        }
    }
}
