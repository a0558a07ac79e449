package dev.idempotency;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One message in the hands of a listener container: the seam between containers and the guard.
 *
 * <p>A container binding makes one for each message, runs the container's call of its listener inside
 * {@link #run(Work)}, and afterwards does what the guard asked for: {@link #isSettled() settle} a skipped message, or
 * give the message back for {@link #deferral() later}. The guard itself only reads the message and raises those flags,
 * because an exception on its way through the listener would be seen, counted or swallowed by the application's own
 * retry and error handling.
 *
 * <p>Confined to the thread that handles the message. Absent in a call that no container made.
 *
 * @since 0.1
 */
public abstract class Delivery {

    private static final ThreadLocal<@Nullable Delivery> CURRENT = new ThreadLocal<>();

    private boolean taken;
    private boolean settled;
    private @Nullable MessageDeferredException deferral;

    /** Creates a delivery that is neither settled nor deferred. */
    protected Delivery() {}

    /** Returns the message that the current thread is handling; null in a call that no container made. */
    public static @Nullable Delivery current() {
        return CURRENT.get();
    }

    /**
     * Runs the container's call of its listener with this delivery bound to the thread. The delivery that was bound
     * before, if any, is bound again afterwards.
     *
     * @param work the container's call of its listener
     * @return what the work returned
     * @throws Throwable what the work threw
     */
    public final <T> @Nullable T run(Work<T> work) throws Throwable {
        Delivery outer = CURRENT.get();
        CURRENT.set(this);
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

    /**
     * Returns the body as received: text, bytes or a map. Reading it leaves the message as it was; a large one may be
     * cut. Null if there is none, or none that can be read without side effects.
     */
    public abstract @Nullable Object body();

    /** Returns the headers of the message, never null. */
    public abstract Map<String, ?> headers();

    /**
     * Returns the method that the container calls for this message, as the container knows it; null if that is not
     * known, so that the first guarded call is taken for it.
     */
    public abstract @Nullable Method listener();

    /**
     * Returns whether the broker delivers the message again if it is given back. Where it does not, the guard waits
     * until the message is decided, as long as the container runs.
     */
    public abstract boolean canReturn();

    /**
     * Returns how much longer a copy in flight may wait for its first to end: what is left of the one budget that this
     * delivery, or the poll it belongs to, has for waiting. Asked again and again while waiting; zero as soon as the
     * container stops.
     *
     * @param configured the wait that the user has set; null for what suits this kind of container
     */
    public abstract Duration waitLeft(@Nullable Duration configured);

    /**
     * Takes a time that was spent waiting from the budget of this delivery or poll.
     *
     * @param time the time spent
     */
    public abstract void waited(Duration time);

    /**
     * Returns what a listener method that was not called must seem to have returned, so that this kind of container
     * takes it for a success. This implementation returns what suits the method.
     *
     * @param suitable what stands for nothing in the return type of the method: null, or for an asynchronous one a
     *     future that has completed with null, or a publisher that is empty
     */
    public @Nullable Object emptyResult(@Nullable Object suitable) {
        return suitable;
    }

    /**
     * Takes this message for the guarded call that the container makes for it. What its listener calls besides, or in
     * turn, is another call: it has an id of its own, and is not settled or given back with this message. Two calls with
     * one id would lose the second.
     *
     * @return false if a call has taken the message, and has not failed since
     */
    public final boolean take() {
        boolean free = !taken;
        taken = true;
        return free;
    }

    /** Lets the message be taken again: the call that took it has failed, and may be retried within this delivery. */
    public final void putBack() {
        taken = false;
    }

    /** Asks the container binding to settle the message: it was skipped and must not be delivered again. */
    public final void settle() {
        settled = true;
    }

    /**
     * Asks the container binding to give the message back, to be delivered later.
     *
     * @param reason why
     */
    public final void later(MessageDeferredException reason) {
        deferral = Objects.requireNonNull(reason, "'reason' must not be null");
    }

    /** Returns whether the message was skipped and is to be settled. */
    public final boolean isSettled() {
        return settled;
    }

    /** Returns why the message is to be delivered later; null if it is not. */
    public final @Nullable MessageDeferredException deferral() {
        return deferral;
    }
}
