package dev.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.idempotency.MessageKey;
import dev.idempotency.MessageState;
import dev.idempotency.MessageState.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** People who ask are told since when a message is in flight, and until when it is seen: by the database's clock. */
@ParameterizedClass
@EnumSource
class JdbcStateTests {

    private static final Duration RETENTION = Duration.ofHours(1);
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final MessageKey KEY = MessageKey.of("orders", "A");

    private final TestDatabase database;
    private final JdbcIdempotencyStore store;

    JdbcStateTests(EachDatabase each) {
        this.database = each.database();
        this.store = database.store("test-" + UUID.randomUUID(), RETENTION);
    }

    @Test
    void tellsSinceWhenAndUntilWhen() {
        assertThat(store.state(KEY)).isEqualTo(MessageState.unknown());

        store.remember(MessageKey.of("clock", "A"));
        Instant begun = at(MessageKey.of("clock", "A")).minus(RETENTION);
        store.claim(KEY, "owner", LEASE);
        assertThat(store.state(KEY).status()).isEqualTo(Status.IN_FLIGHT);
        assertThat(at(KEY)).isCloseTo(begun, within(5, ChronoUnit.SECONDS));

        // a renewal is no new beginning
        database.pass(Duration.ofSeconds(40));
        assertThat(store.renew(KEY, "owner", LEASE)).isTrue();
        assertThat(at(KEY)).isCloseTo(begun, within(5, ChronoUnit.SECONDS));

        // the next owner's claim is
        database.pass(LEASE.plusSeconds(1));
        assertThat(store.state(KEY)).isEqualTo(MessageState.unknown());
        store.claim(KEY, "other", LEASE);
        assertThat(at(KEY)).isCloseTo(begun.plusSeconds(101), within(5, ChronoUnit.SECONDS));

        store.complete(KEY, "other");
        assertThat(store.state(KEY).status()).isEqualTo(Status.SEEN);
        assertThat(at(KEY)).isCloseTo(begun.plusSeconds(101).plus(RETENTION), within(5, ChronoUnit.SECONDS));

        database.pass(RETENTION.plusSeconds(10));
        assertThat(store.state(KEY)).isEqualTo(MessageState.unknown());
    }

    private Instant at(MessageKey key) {
        Instant at = store.state(key).at();
        assertThat(at).isNotNull();
        return at;
    }
}
