package dev.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Work;
import dev.idempotency.test.ScriptedHandler.Delivered;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** A delivery on a thread of its own, whose handler is in work until it is told how to end. */
final class RunInWork {

    private static final long PATIENCE_SECONDS = 60;

    private final Step step;
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch ending = new CountDownLatch(1);
    private final ScriptedHandler handler = new ScriptedHandler();
    private final FutureTask<Delivered> task;

    RunInWork(Step step, Function<Work<Object>, Delivered> delivery) {
        this.step = step;
        this.task = new FutureTask<>(() -> {
            try {
                return delivery.apply(this::handle);
            } finally {
                entered.countDown();
            }
        });
        Thread thread = new Thread(task, "run-in-work");
        thread.setDaemon(true);
        thread.start();
    }

    private Object handle() throws Throwable {
        entered.countDown();
        if (!ending.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError(step + ": was not ended in time");
        }
        return handler.run();
    }

    void awaitInWork() throws Exception {
        assertThat(entered.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("%s: in work", step)
                .isTrue();
        if (task.isDone()) {
            throw new AssertionError(step + ": the handler was not called, the delivery ended as " + task.get());
        }
    }

    Step step() {
        return step;
    }

    void finish(String outcome) {
        handler.willEndWith(outcome);
        ending.countDown();
        handler.assertEnded(ended());
    }

    /** Ends what a sequence leaves in work, however that may end. */
    void abandon() {
        handler.willEndWith("throw");
        ending.countDown();
        ended();
    }

    private Delivered ended() {
        try {
            return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException ex) {
            throw new AssertionError(step + ": the delivery did not end", ex);
        }
    }
}
