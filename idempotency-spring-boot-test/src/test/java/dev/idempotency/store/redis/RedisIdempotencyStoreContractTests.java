package dev.idempotency.store.redis;

import dev.idempotency.test.ClaimingIdempotencyStoreContract;
import dev.idempotency.test.TestTime;
import java.time.Duration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class RedisIdempotencyStoreContractTests extends ClaimingIdempotencyStoreContract {

    @Override
    protected RedisIdempotencyStore createStore(String namespace, Duration retention) {
        return new RedisIdempotencyStore(connections(), prefix(), namespace, retention);
    }

    LettuceConnectionFactory connections() {
        return RedisServers.standalone();
    }

    String prefix() {
        return RedisIdempotencyStore.DEFAULT_PREFIX;
    }

    @Override
    protected TestTime time() {
        return TestTime.real(Duration.ofMillis(200));
    }

    @Override
    protected Duration retention() {
        return Duration.ofSeconds(4);
    }

    @Override
    protected Duration lease() {
        return Duration.ofSeconds(1);
    }

    @Override
    protected int races() {
        return 50;
    }
}
