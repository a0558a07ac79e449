package dev.idempotency.store.redis;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class InstalledRedisSequenceTests extends RedisIdempotencyStoreSequenceTests {

    @RegisterExtension
    static final InstalledRedis REDIS = new InstalledRedis();

    @Override
    LettuceConnectionFactory connections() {
        return REDIS.connections();
    }

    @Override
    String prefix() {
        return REDIS.prefix();
    }
}
