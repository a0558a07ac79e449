package dev.idempotency.aop;

import dev.idempotency.Delivery;
import dev.idempotency.Work;
import org.jspecify.annotations.Nullable;

/**
 * The delivery whose listener is running on the current thread. What that listener calls in turn is another call: with
 * an id of its own, and not to be settled or given back with the delivery.
 */
final class TakenDelivery {

    private static final ThreadLocal<@Nullable Delivery> CURRENT = new ThreadLocal<>();

    private TakenDelivery() {}

    static boolean is(Delivery delivery) {
        return CURRENT.get() == delivery;
    }

    static <T> @Nullable T run(Delivery delivery, Work<T> work) throws Throwable {
        Delivery outer = CURRENT.get();
        CURRENT.set(delivery);
        try {
            return work.run();
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
    }
}
