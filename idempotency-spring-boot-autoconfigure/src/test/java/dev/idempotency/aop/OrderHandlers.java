package dev.idempotency.aop;

import dev.idempotency.Idempotent;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Transactional;

/** One handler, with its three annotations in every order. */
class OrderHandlers {

    private Runnable work = () -> {};

    void does(Runnable runnable) {
        this.work = runnable;
    }

    @Idempotent
    @Transactional
    @Retryable(maxRetries = 2, delay = 1)
    public void itr(Map<String, Object> message) {
        work.run();
    }

    @Idempotent
    @Retryable(maxRetries = 2, delay = 1)
    @Transactional
    public void irt(Map<String, Object> message) {
        work.run();
    }

    @Transactional
    @Idempotent
    @Retryable(maxRetries = 2, delay = 1)
    public void tir(Map<String, Object> message) {
        work.run();
    }

    @Transactional
    @Retryable(maxRetries = 2, delay = 1)
    @Idempotent
    public void tri(Map<String, Object> message) {
        work.run();
    }

    @Retryable(maxRetries = 2, delay = 1)
    @Idempotent
    @Transactional
    public void rit(Map<String, Object> message) {
        work.run();
    }

    @Retryable(maxRetries = 2, delay = 1)
    @Transactional
    @Idempotent
    public void rti(Map<String, Object> message) {
        work.run();
    }

    /** All of these, on another thread. */
    static class Asynchronous {

        private Runnable work = () -> {};

        void does(Runnable runnable) {
            this.work = runnable;
        }

        @Idempotent
        @Transactional
        @Async
        @Retryable(maxRetries = 2, delay = 1)
        public CompletableFuture<String> on(Map<String, Object> message) {
            work.run();
            return CompletableFuture.completedFuture("done");
        }
    }
}
