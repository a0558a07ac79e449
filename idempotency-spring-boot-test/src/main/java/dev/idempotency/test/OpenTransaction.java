package dev.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.TransactionSettings;
import dev.idempotency.TransactionalIdempotencyStore;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.transaction.TransactionException;

/** A transaction of another caller, on a thread of its own: open from its creation until it is ended. */
final class OpenTransaction<T> implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 60;

    private final FutureTask<Void> task;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch ending = new CountDownLatch(1);
    private final AtomicReference<@Nullable T> answer = new AtomicReference<>();
    private volatile boolean committing;

    OpenTransaction(TransactionalIdempotencyStore store, Supplier<T> first) throws Exception {
        task = new FutureTask<>(() -> run(store, first), null);
        Thread thread = new Thread(task, "other-transaction");
        thread.setDaemon(true);
        thread.start();
        assertThat(begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("the other transaction has begun")
                .isTrue();
        if (answer.get() == null) {
            end();
        }
    }

    private void run(TransactionalIdempotencyStore store, Supplier<T> first) {
        try {
            store.inTransaction(TransactionSettings.DEFAULT, () -> {
                answer.set(first.get());
                begun.countDown();
                if (!ending.await(PATIENCE_SECONDS, TimeUnit.SECONDS) || !committing) {
                    throw new Rollback();
                }
                return null;
            });
        } catch (Rollback ex) {
            // as asked for
        } catch (RuntimeException | Error ex) {
            throw ex;
        } catch (Throwable ex) {
            throw new IllegalStateException(ex);
        } finally {
            begun.countDown();
        }
    }

    @Nullable
    T answer() {
        return answer.get();
    }

    /** Returns whether the database let it commit: one that is serializable may fail for the sake of others. */
    boolean commit() {
        committing = true;
        return end();
    }

    void rollback() {
        close();
    }

    @Override
    public void close() {
        end();
    }

    private boolean end() {
        ending.countDown();
        try {
            task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException ex) {
            if (committing
                    && (ex.getCause() instanceof TransactionException
                            || ex.getCause() instanceof ConcurrencyFailureException)) {
                return false;
            }
            throw new AssertionError("The other transaction failed", ex.getCause());
        } catch (InterruptedException | TimeoutException ex) {
            throw new AssertionError("The other transaction has not ended", ex);
        }
    }

    private static final class Rollback extends RuntimeException {}
}
