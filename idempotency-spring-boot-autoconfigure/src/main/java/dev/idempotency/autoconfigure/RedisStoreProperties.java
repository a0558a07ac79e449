package dev.idempotency.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** Properties of the store in Redis. */
@ConfigurationProperties("idempotency.redis")
final class RedisStoreProperties {

    /** Name of the connection factory bean. If not set, the only or the primary one. */
    private @Nullable String connectionFactory;

    /** What keys begin with. */
    private String keyPrefix = "idempotency:";

    public @Nullable String getConnectionFactory() {
        return connectionFactory;
    }

    public void setConnectionFactory(@Nullable String connectionFactory) {
        this.connectionFactory = connectionFactory;
    }

    public String getKeyPrefix() {
        return keyPrefix;
    }

    public void setKeyPrefix(String keyPrefix) {
        this.keyPrefix = keyPrefix;
    }
}
