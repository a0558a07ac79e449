package dev.idempotency.core;

import dev.idempotency.MessageKey;
import java.util.concurrent.CompletableFuture;

/** A copy that arrives on another thread, which no transaction of the test's thread reaches. */
final class CopyOnAnotherThread {

    private CopyOnAnotherThread() {}

    /** Returns what the call threw; null if it ended normally. */
    static Throwable run(IdempotencyTemplate template, MessageKey key, Handler handler) {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        template.execute(key, handler);
                        thrown.complete(null);
                    } catch (Throwable ex) {
                        thrown.complete(ex);
                    }
                })
                .start();
        return thrown.join();
    }
}
