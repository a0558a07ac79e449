package dev.idempotency.store.redis;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class RedisClusterContractTests extends RedisIdempotencyStoreContractTests {

    @Override
    LettuceConnectionFactory connections() {
        return RedisServers.cluster();
    }
}
