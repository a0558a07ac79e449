package dev.idempotency.test;

import static dev.idempotency.Claim.ACQUIRED;
import static dev.idempotency.test.DistinctKeys.keyOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.idempotency.Claim;
import dev.idempotency.MessageKey;
import dev.idempotency.TransactionSettings;
import dev.idempotency.TransactionalIdempotencyStore;
import dev.idempotency.Work;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a transaction of a store does with the work in it, and how it ends. */
abstract class TransactionContract extends IdempotencyStoreContract {

    private static final MessageKey A = keyOf("A");
    private static final MessageKey B = keyOf("B");

    @Override
    protected abstract TransactionalIdempotencyStore createStore(String namespace, Duration retention);

    @Override
    TransactionalIdempotencyStore store() {
        return (TransactionalIdempotencyStore) super.store();
    }

    final <T> @Nullable T inTransaction(Work<T> work) throws Throwable {
        return store().inTransaction(TransactionSettings.DEFAULT, work);
    }

    final @Nullable Claim recordAlone(MessageKey key) throws Throwable {
        return inTransaction(() -> store().record(key));
    }

    static Stream<Throwable> throwables() {
        return Stream.of(
                new IllegalStateException("unchecked"),
                new Exception("checked"),
                new InterruptedException("interrupt"),
                new AssertionError("error"),
                new StackOverflowError("error of the machine"),
                new Throwable("neither"));
    }

    @Test
    @DisplayName("O03: what was recorded is seen once its transaction has committed")
    void commitsOnReturn() throws Throwable {
        Object value = new Object();
        Object returned = inTransaction(() -> {
            assertThat(store().record(A)).isEqualTo(ACQUIRED);
            return value;
        });
        assertThat(returned).isSameAs(value);
        assertThat(store().seen(A)).isTrue();
        assertThat(this.<Object>inTransaction(() -> null)).isNull();
    }

    @ParameterizedTest
    @MethodSource("throwables")
    @DisplayName("O01, O11: rolls back on any throwable, which reaches the caller as the same instance")
    void rollsBackOnAnyThrowable(Throwable failure) throws Throwable {
        Throwable thrown = catchThrowable(() -> inTransaction(() -> {
            store().record(A);
            store().recordAll(List.of(B));
            throw failure;
        }));
        assertThat(thrown).isSameAs(failure);
        assertThat(store().seen(A)).isFalse();
        assertThat(store().seen(B)).isFalse();
        assertThat(recordAlone(A)).isEqualTo(ACQUIRED);
    }

    @Test
    @DisplayName("O04: joins the transaction that is open on the thread, and shares its rollback")
    void joinsOpenTransactionAndSharesRollback() {
        IllegalStateException failure = new IllegalStateException("outer");
        assertThat(catchThrowable(() -> inTransaction(() -> {
                    recordAlone(A);
                    throw failure;
                })))
                .isSameAs(failure);
        assertThat(store().seen(A)).isFalse();
    }

    @Test
    void joinsOpenTransactionAndSharesCommit() throws Throwable {
        TransactionSettings other = new TransactionSettings(Connection.TRANSACTION_SERIALIZABLE, null);
        inTransaction(() -> {
            assertThat(store().<Claim>inTransaction(other, () -> store().record(A)))
                    .isEqualTo(ACQUIRED);
            assertThat(store().record(B)).isEqualTo(ACQUIRED);
            return null;
        });
        assertThat(store().seen(A)).isTrue();
        assertThat(store().seen(B)).isTrue();
    }

    @Test
    @DisplayName("K1: leaves no mark if work that joined has failed, even if the outer work swallows that")
    void leavesNoMarkIfJoinedWorkFailed() {
        IllegalStateException failure = new IllegalStateException("inner");
        Throwable thrown = catchThrowable(() -> inTransaction(() -> {
            store().record(A);
            assertThat(catchThrowable(() -> inTransaction(() -> {
                        throw failure;
                    })))
                    .isSameAs(failure);
            return null;
        }));
        assertThat(thrown).as("what the commit of the outer transaction threw").isNotNull();
        assertThat(store().seen(A)).isFalse();
    }

    @Test
    @DisplayName("O02: refuses to record outside a transaction, and leaves no mark")
    void refusesToRecordOutsideTransaction() {
        assertThat(catchThrowable(() -> store().record(A))).isInstanceOf(RuntimeException.class);
        assertThat(store().seen(A)).isFalse();
    }

    @Test
    void beginsWithTimeout() throws Throwable {
        TransactionSettings settings = new TransactionSettings(null, Duration.ofSeconds(30));
        assertThat(store().<Claim>inTransaction(settings, () -> store().record(A)))
                .isEqualTo(ACQUIRED);
        assertThat(store().seen(A)).isTrue();
    }

    @Test
    @DisplayName("O36: records within a namespace only")
    void recordsWithinNamespaceOnly() throws Throwable {
        recordAlone(A);
        assertThat(createStore(namespace(), retention()).seen(A)).isEqualTo(isShared());
        assertThat(createStore(namespace() + "-2", retention()).seen(A)).isFalse();
    }

    @Test
    void namesItsResource() {
        assertThat(store().transactionResource()).isNotNull().isSameAs(store().transactionResource());
    }
}
