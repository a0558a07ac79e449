package dev.idempotency.core;

import dev.idempotency.Work;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A handler that can be held and made to fail, and counts its calls. */
final class Handler implements Work<String> {

    private final AtomicInteger calls = new AtomicInteger();
    private final CountDownLatch entered = new CountDownLatch(1);
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile Throwable failure;

    static Handler succeeding() {
        return new Handler();
    }

    static Handler failing(Throwable failure) {
        Handler handler = new Handler();
        handler.failure = failure;
        return handler;
    }

    Handler held() {
        gate = new CountDownLatch(1);
        return this;
    }

    @Override
    public String run() throws Throwable {
        calls.incrementAndGet();
        entered.countDown();
        gate.await();
        if (failure != null) {
            throw failure;
        }
        return "handled";
    }

    void letGo() {
        gate.countDown();
    }

    void awaitEntered() throws InterruptedException {
        entered.await();
    }

    int calls() {
        return calls.get();
    }
}
