package dev.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.Claim;
import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.IdempotencyStore;
import dev.idempotency.MessageKey;
import dev.idempotency.TransactionSettings;
import dev.idempotency.TransactionalIdempotencyStore;
import dev.idempotency.store.memory.InMemoryIdempotencyStore;
import dev.idempotency.test.FailingStore.Operation;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;

class FailingStoreTests {

    private static final MessageKey A = MessageKey.of("orders", "A");
    private static final MessageKey B = MessageKey.of("orders", "B");
    private static final Duration LEASE = Duration.ofMinutes(1);

    private final MutableClock clock = new MutableClock();
    private final InMemoryIdempotencyStore target = new InMemoryIdempotencyStore(Duration.ofHours(1), 100, clock);
    private final FailingStore failing = FailingStore.of(target);
    private final ClaimingIdempotencyStore store = (ClaimingIdempotencyStore) failing.store();

    @Test
    void hasTheCapabilitiesOfItsStore() {
        assertThat(store).isNotInstanceOf(TransactionalIdempotencyStore.class);
        assertThat(FailingStore.of(new ThreeVerbStore(LEASE, clock)).store())
                .isNotInstanceOf(ClaimingIdempotencyStore.class)
                .isNotInstanceOf(TransactionalIdempotencyStore.class);
        assertThat(store.equals(store)).isTrue();
        assertThat(store.equals(target)).isFalse();
        assertThat(store).hasToString(target.toString());
    }

    @Test
    void failsWhileDownWithoutReachingTheStore() {
        failing.down();
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> store.remember(A))
                .withMessageContaining("remember");
        assertThatThrownBy(() -> store.claimAll(List.of(B), "o1", LEASE)).isInstanceOf(UncheckedIOException.class);
        failing.up();
        assertThat(store.seen(A)).isFalse();
        assertThat(store.claim(B, "o2", LEASE)).isEqualTo(Claim.ACQUIRED);
    }

    @Test
    void failsChosenOperationsOnly() {
        failing.down(Operation.COMPLETE, Operation.REMEMBER);
        assertThat(store.claim(A, "o1", LEASE)).isEqualTo(Claim.ACQUIRED);
        assertThatThrownBy(() -> store.complete(A, "o1")).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> store.rememberAll(List.of(A))).isInstanceOf(UncheckedIOException.class);
        assertThat(store.seen(A)).isFalse();
        failing.up();
        assertThat(store.complete(A, "o1")).isTrue();
    }

    @Test
    void knowsEveryMethodOfEveryStoreType() {
        assertThat(Stream.of(
                                IdempotencyStore.class,
                                ClaimingIdempotencyStore.class,
                                TransactionalIdempotencyStore.class)
                        .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                        .filter(method -> !method.isSynthetic())
                        .filter(method -> !method.getName().equals("transactionResource")))
                .allSatisfy(method -> assertThat(Operation.of(method)).isNotNull())
                .extracting(Method::getName)
                .hasSize(17);
    }

    @Test
    void keepsBlockedRenewalsFromTheStore() {
        failing.blockRenewals();
        store.claim(A, "stalled", LEASE);
        failing.allowRenewals();
        store.claim(B, "well", LEASE);
        clock.advance(LEASE.dividedBy(2));

        assertThat(store.renew(A, "stalled", LEASE)).isTrue();
        assertThat(store.renewAll(Map.of(A, "stalled", B, "well"), LEASE)).containsExactlyInAnyOrder(A, B);
        clock.advance(LEASE.dividedBy(2));
        assertThat(store.claimAll(List.of(A, B), "next", LEASE))
                .containsEntry(A, Claim.ACQUIRED)
                .containsEntry(B, Claim.HELD);
        assertThat(store.renew(B, "other", LEASE)).isFalse();
    }

    @Test
    void passesTransactionsAndTheirFailuresThrough() throws Throwable {
        JdbcConnectionPool dataSource = H2TransactionalStoreContractTests.dataSource();
        try {
            FailingStore switched =
                    FailingStore.of(new H2TransactionalStore(dataSource, "test", Duration.ofHours(1), clock));
            TransactionalIdempotencyStore transactional = (TransactionalIdempotencyStore) switched.store();
            Exception failure = new Exception("checked");
            assertThatThrownBy(() -> transactional.inTransaction(TransactionSettings.DEFAULT, () -> {
                        transactional.record(A);
                        throw failure;
                    }))
                    .isSameAs(failure);
            switched.down(Operation.BEGIN);
            assertThatThrownBy(() -> transactional.inTransaction(TransactionSettings.DEFAULT, () -> null))
                    .isInstanceOf(UncheckedIOException.class);
            switched.up();
            assertThat(transactional.<Claim>inTransaction(TransactionSettings.DEFAULT, () -> transactional.record(A)))
                    .isEqualTo(Claim.ACQUIRED);
            assertThat(transactional.transactionResource()).isSameAs(dataSource);
        } finally {
            dataSource.dispose();
        }
    }
}
