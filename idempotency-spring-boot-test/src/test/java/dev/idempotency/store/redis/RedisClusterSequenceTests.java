package dev.idempotency.store.redis;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class RedisClusterSequenceTests extends RedisIdempotencyStoreSequenceTests {

    @Override
    LettuceConnectionFactory connections() {
        return RedisServers.cluster();
    }
}
