package dev.idempotency.test;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.MessageKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/** What a test has to say of its store, whatever it tests. */
abstract class StoreUnderTest {

    private final String namespace = "test-" + UUID.randomUUID();

    /**
     * Makes a store. Called at least once for each test, with a namespace that no other test uses.
     *
     * @param namespace what sets the store apart from others on the same backend; a store that is not
     *     {@linkplain #isShared() shared} has no use for it
     * @param retention how long a mark lives
     */
    protected abstract IdempotencyStore createStore(String namespace, Duration retention);

    /** Returns how time passes for the stores of this test. */
    protected abstract TestTime time();

    /**
     * Returns whether stores that are made with the same namespace share their marks, as those of several processes
     * must; true by default.
     */
    protected boolean isShared() {
        return true;
    }

    /** Returns the retention of the stores under test; ten minutes by default. At least twice the lease. */
    protected Duration retention() {
        return Duration.ofMinutes(10);
    }

    /** Returns the lease of the claims under test; one minute by default. */
    protected Duration lease() {
        return Duration.ofMinutes(1);
    }

    final String namespace() {
        return namespace;
    }

    final void pass(Duration time) {
        time().pass(time);
    }

    final Duration moment() {
        return time().moment();
    }

    static Duration half(Duration time) {
        return time.dividedBy(2);
    }

    /** The same messages in an order of each thread's own. */
    static List<MessageKey> shuffled(List<MessageKey> keys, int thread) {
        List<MessageKey> shuffled = new ArrayList<>(keys);
        Collections.rotate(shuffled, thread);
        if (thread % 2 == 1) {
            Collections.reverse(shuffled);
        }
        return shuffled;
    }
}
