package dev.idempotency.core;

import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.Execution;
import dev.idempotency.IdempotencyMode;
import dev.idempotency.IdempotencyStore;
import dev.idempotency.MessageDeferredException;
import dev.idempotency.MessageKey;
import dev.idempotency.MissingIdPolicy;
import dev.idempotency.MissingMessageIdException;
import dev.idempotency.Outcome;
import dev.idempotency.StoreFailurePolicy;
import dev.idempotency.TransactionalIdempotencyStore;
import dev.idempotency.Work;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles a message once per consumer: the whole decision, for use without an annotation.
 *
 * <p><strong>Guarantee.</strong> A message that was handled successfully is not handled again while the store retains
 * its id. Only a success is marked: anything thrown leaves no mark and reaches the caller as the same instance. In
 * {@link IdempotencyMode#CLAIM} and {@link IdempotencyMode#TRANSACTIONAL} a copy that arrives while the first is in work
 * is never taken for a duplicate: it waits for a bounded time and then ends with a {@link MessageDeferredException}.
 * If the store does not answer before the handler runs, the call ends with such an exception too, unless the policy
 * says otherwise; if it does not answer after the handler has succeeded, the call ends as a success.
 *
 * <p><strong>Transactions.</strong> If a Spring-managed transaction on a database is open when the call begins, the mark
 * follows its commit, and the outcome is counted then.
 *
 * <p><strong>Asynchronous results.</strong> Work that returns a future or a completion stage, or what else {@link
 * IdempotencyTemplateBuilder#asyncResults} knows, is judged when that has completed: until then its claim is kept and
 * renewed, at most up to the lease limit, and the value handed out in its place, a {@link
 * java.util.concurrent.CompletableFuture} for every future and stage, completes after the mark. An error and a
 * cancellation leave no mark; one that is cancelled ends at once, and its claim is released a moment later. Inside a transaction on the store such work must have ended when it returns.
 *
 * <p><strong>Not</strong> exactly-once delivery, no undo of what a failed handler did, and no store of results.
 *
 * <p>Immutable and safe for use by many threads. Templates made by {@link #mutate()} share leases, listeners and
 * {@link #close()}.
 *
 * @since 0.1
 */
public final class IdempotencyTemplate implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(IdempotencyTemplate.class);

    private final TemplateSpec spec;
    private final StoreContext context;
    private final Guard guard;
    private final @Nullable TransactionalGuard transactional;
    private final IdempotencyMode mode;

    IdempotencyTemplate(TemplateSpec spec) {
        this.spec = spec;
        this.context = spec.shared().contextOf(spec.store(), spec.storeName());
        Admission admission = new Admission(context, spec.settings());
        AsyncResults results = spec.results();
        Settings settings = spec.settings();
        this.transactional = !settings.asynchronous() && spec.store() instanceof TransactionalIdempotencyStore store
                ? new TransactionalGuard(store, context, admission, settings.transaction(), results)
                : null;
        this.mode = spec.effectiveMode();
        this.guard = guardFor(mode, admission, results);
    }

    private Guard guardFor(IdempotencyMode effective, Admission admission, AsyncResults results) {
        if (effective == IdempotencyMode.TRANSACTIONAL && transactional != null) {
            return transactional;
        }
        LeaseKeeper leases = context.leases();
        if (effective == IdempotencyMode.CLAIM
                && leases != null
                && spec.store() instanceof ClaimingIdempotencyStore store) {
            Settings settings = spec.settings();
            return new MarkingGuard(
                    context,
                    admission,
                    results,
                    key -> new ClaimTicket(
                            store, context.calls(), leases, key, settings.lease(), settings.leaseLimit()));
        }
        return new MarkingGuard(context, admission, results, key -> new SeenTicket(context, key));
    }

    /**
     * Starts a template on the given store, with the defaults of every option.
     *
     * @param store the store
     */
    public static IdempotencyTemplateBuilder builder(IdempotencyStore store) {
        return new IdempotencyTemplateBuilder(store);
    }

    /** Starts a template that differs from this one and shares its listeners, leases and end. */
    public IdempotencyTemplateBuilder mutate() {
        return new IdempotencyTemplateBuilder(spec);
    }

    /** Returns the store. */
    public IdempotencyStore store() {
        return spec.store();
    }

    /** Returns the name of the store, as logs and meters show it. */
    public String storeName() {
        return spec.storeName();
    }

    /** Returns what happens if the store does not answer before the handler runs. */
    public StoreFailurePolicy onStoreFailure() {
        return spec.settings().onStoreFailure();
    }

    /** Returns the mode that was asked for, which may be AUTO. */
    public IdempotencyMode configuredMode() {
        return spec.settings().mode();
    }

    /** Returns the mode that calls of this template have unless they join a transaction on the store; never AUTO. */
    public IdempotencyMode mode() {
        return mode;
    }

    /**
     * Handles a message that may have no usable id, as the policy for missing ids says.
     *
     * @param consumer the stable name of the consumer, not blank
     * @param messageId the message id, verbatim; null or blank if there is no usable one
     * @param work the handling
     * @return the outcome as known at return, and the value
     * @throws MessageDeferredException if the message must be delivered again later; the work was not called
     * @throws MissingMessageIdException if there is no usable id and the policy is to reject
     * @throws Throwable what the work threw, the same instance
     */
    public <T> Execution<T> execute(String consumer, @Nullable String messageId, Work<T> work) throws Throwable {
        if (messageId != null && !messageId.isBlank()) {
            return execute(MessageKey.of(consumer, messageId), work);
        }
        long started = System.nanoTime();
        if (spec.settings().onMissingId() == MissingIdPolicy.REJECT) {
            count(consumer, Outcome.REJECTED, started);
            throw new MissingMessageIdException("Message has no usable id for consumer " + consumer
                    + ". 'on-missing-id' says to reject it. " + spec.missingIdAdvice());
        }
        if (spec.shared().isFirstWithoutId(consumer)) {
            log.warn(
                    "Message has no usable id for consumer {}. It is handled unguarded, as will be all others like it, and"
                            + " counted as 'unidentified'. {}",
                    consumer,
                    spec.missingIdAdvice());
        }
        try {
            return new Execution<>(Outcome.UNIDENTIFIED, work.run());
        } finally {
            count(consumer, Outcome.UNIDENTIFIED, started);
        }
    }

    private void count(String consumer, Outcome outcome, long started) {
        spec.shared().observers().outcome(consumer, null, outcome, started);
    }

    /**
     * Handles a message that has a usable id.
     *
     * @param key the message
     * @param work the handling
     * @return the outcome as known at return, and the value
     * @throws MessageDeferredException if the message must be delivered again later; the work was not called
     * @throws Throwable what the work threw, the same instance
     */
    public <T> Execution<T> execute(MessageKey key, Work<T> work) throws Throwable {
        Subject subject = new Subject(spec.store(), key);
        if (InWork.contains(subject)) {
            return new Execution<>(Outcome.PROCESSED, work.run());
        }
        GuardedCall<T> call = new GuardedCall<>(subject, work, spec.shared().observers());
        Guard applicable = transactional != null && transactional.isJoining() ? transactional : guard;
        Execution<T> execution = applicable.execute(call);
        if (!execution.wasRun() && log.isDebugEnabled()) {
            log.debug("Duplicate is skipped for consumer {}.", key);
        }
        return execution;
    }

    /**
     * Decorates a handler that is no bean method, such as a lambda or a function bean. Where a container calls it, the
     * id is that of the message as received; else, and for any further call within one delivery, that of the argument.
     * A lambda that is a single expression must state the type of its parameter, so that the compiler can tell it from a
     * function.
     *
     * @param consumer the stable name of the consumer, not blank
     * @param handler the handling
     */
    @SuppressWarnings("overloads")
    public <T> Consumer<T> wrap(String consumer, Consumer<? super T> handler) {
        WrappedFunction<T, Object> wrapped = new WrappedFunction<>(ofResolver(), consumer, spec.resolver(), message -> {
            handler.accept(message);
            return null;
        });
        return wrapped::handle;
    }

    /**
     * Decorates a handler that returns something; a call that is skipped or given back returns null.
     *
     * @param consumer the stable name of the consumer, not blank
     * @param handler the handling
     */
    @SuppressWarnings("overloads")
    public <T, R> Function<T, R> wrap(String consumer, Function<? super T, ? extends @Nullable R> handler) {
        return new WrappedFunction<>(ofResolver(), consumer, spec.resolver(), handler);
    }

    private IdempotencyTemplate ofResolver() {
        return mutate().missingIdAdvice(TemplateSpec.HAVE_AN_ID_FOUND).build();
    }

    /**
     * Tells the listeners of a consumer that will be guarded, before its first message.
     *
     * @param consumer the stable name of the consumer
     */
    public void announce(String consumer) {
        spec.shared().observers().consumer(consumer);
    }

    /**
     * Ends every wait for a copy in flight at once: those calls end as <em>later</em>. Handlers in work keep their
     * leases until they end, and are marked as ever; new calls are guarded, but do not wait.
     */
    @Override
    public void close() {
        spec.shared().shutdown().close();
    }
}
