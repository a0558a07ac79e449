package dev.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Work;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A handler that ends as a step says, and knows whether it was called. */
final class ScriptedHandler implements Work<Object> {

    private final AtomicInteger calls = new AtomicInteger();
    private final Object value = new Object();
    private volatile @Nullable Throwable failure;

    @Override
    public Object run() throws Throwable {
        calls.incrementAndGet();
        Throwable thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
        return value;
    }

    void willEndWith(String outcome) {
        failure = switch (outcome) {
            case "ok" -> null;
            case "throw" -> new IllegalStateException("unchecked failure of the handler");
            case "checked" -> new Exception("checked failure of the handler");
            case "error" -> new Error("error of the handler");
            default -> throw new IllegalArgumentException("Outcome '" + outcome + "' is not known");
        };
    }

    boolean fails() {
        return failure != null;
    }

    /** Asserts that it was called once, and that what it returned or threw reached the caller as the same instance. */
    void assertEnded(Delivered delivered) {
        assertThat(calls).as("calls of the handler").hasValue(1);
        assertThat(delivered.thrown()).as("what reached the caller").isSameAs(failure);
        if (failure == null) {
            assertThat(delivered.value()).as("what was returned").isSameAs(value);
        }
    }

    void assertNotCalled() {
        assertThat(calls).as("calls of the handler").hasValue(0);
    }

    /** How a delivery ended for its caller. */
    record Delivered(@Nullable Object value, @Nullable Throwable thrown) {

        static Delivered of(Work<Object> call) {
            try {
                return new Delivered(call.run(), null);
            } catch (Throwable ex) {
                return new Delivered(null, ex);
            }
        }
    }
}
