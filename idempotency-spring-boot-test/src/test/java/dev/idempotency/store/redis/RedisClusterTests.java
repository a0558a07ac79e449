package dev.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Claim;
import dev.idempotency.MessageKey;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** K3, K12: one key per step, so that each is right wherever it lies in a cluster (O39, O68). */
class RedisClusterTests {

    private static final Duration LEASE = Duration.ofMinutes(1);

    private final String namespace = "test-" + UUID.randomUUID();
    private final RedisIdempotencyStore store = new RedisIdempotencyStore(
            RedisServers.cluster(), RedisIdempotencyStore.DEFAULT_PREFIX, namespace, Duration.ofMinutes(10));

    @Test
    void takesEveryStepOnWhicheverNodeAMessageLies() {
        List<MessageKey> keys = IntStream.range(0, 1000)
                .mapToObj(id -> MessageKey.of("payments", "id-" + id))
                .toList();
        MessageKeys names = new MessageKeys(RedisIdempotencyStore.DEFAULT_PREFIX, namespace);
        assertThat(keys.stream()
                        .map(key -> SlotHash.getSlot(names.of(key)) / 5462)
                        .distinct())
                .hasSize(3);
        Map<MessageKey, String> owners = new HashMap<>();
        keys.forEach(key -> owners.put(key, "owner"));

        for (MessageKey key : keys.subList(0, 500)) {
            assertThat(store.claim(key, "owner", LEASE)).isEqualTo(Claim.ACQUIRED);
        }
        assertThat(store.claimAll(keys, "owner", LEASE)).hasSize(1000).containsValues(Claim.ACQUIRED);
        assertThat(store.claimAll(keys, "another", LEASE).values()).containsOnly(Claim.HELD);
        assertThat(store.renewAll(owners, LEASE)).hasSize(1000);
        assertThat(store.completeAll(keys, "owner")).hasSize(1000);
        assertThat(store.seenAmong(keys)).hasSize(1000);
        keys.forEach(store::forget);
        assertThat(store.seenAmong(keys)).isEmpty();
        assertThat(store.rememberAll(keys)).hasSize(1000);
    }
}
