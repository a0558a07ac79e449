package dev.idempotency.core;

import dev.idempotency.IdempotencyListener;
import dev.idempotency.IdempotencyMode;
import dev.idempotency.IdempotencyStore;
import dev.idempotency.MessageIdResolver;
import dev.idempotency.MissingIdPolicy;
import dev.idempotency.StoreFailurePolicy;
import dev.idempotency.TransactionSettings;
import dev.idempotency.TransactionalIdempotencyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes an {@link IdempotencyTemplate}. Every option has a default. For use by one thread.
 *
 * @since 0.1
 */
public final class IdempotencyTemplateBuilder {

    private final @Nullable Shared inherited;
    private final List<IdempotencyListener> listeners = new ArrayList<>();
    private IdempotencyStore store;
    private String storeName;
    private MessageIdResolver resolver = (body, headers) -> body instanceof CharSequence text ? text.toString() : null;
    private String missingIdAdvice = TemplateSpec.PASS_AN_ID;
    private IdempotencyMode mode = Settings.DEFAULT.mode();
    private Duration lease = Settings.DEFAULT.lease();
    private Duration leaseLimit = Settings.DEFAULT.leaseLimit();
    private @Nullable Duration inFlightWait = Settings.DEFAULT.inFlightWait();
    private StoreFailurePolicy onStoreFailure = Settings.DEFAULT.onStoreFailure();
    private MissingIdPolicy onMissingId = Settings.DEFAULT.onMissingId();
    private TransactionSettings transaction = Settings.DEFAULT.transaction();
    private boolean asynchronous = Settings.DEFAULT.asynchronous();
    private final List<AsyncResults> asyncResults = new ArrayList<>();

    IdempotencyTemplateBuilder(IdempotencyStore store) {
        this.inherited = null;
        this.store = Objects.requireNonNull(store, "'store' must not be null");
        this.storeName = store.getClass().getSimpleName();
    }

    IdempotencyTemplateBuilder(TemplateSpec origin) {
        this.inherited = origin.shared();
        this.store = origin.store();
        this.storeName = origin.storeName();
        this.resolver = origin.resolver();
        this.missingIdAdvice = origin.missingIdAdvice();
        Settings settings = origin.settings();
        this.mode = settings.mode();
        this.lease = settings.lease();
        this.leaseLimit = settings.leaseLimit();
        this.inFlightWait = settings.inFlightWait();
        this.onStoreFailure = settings.onStoreFailure();
        this.onMissingId = settings.onMissingId();
        this.transaction = settings.transaction();
        this.asynchronous = settings.asynchronous();
        this.asyncResults.addAll(origin.asyncResults());
    }

    /**
     * Sets another store.
     *
     * @param store the store
     * @param name its name, as logs and meters show it
     */
    public IdempotencyTemplateBuilder store(IdempotencyStore store, String name) {
        this.store = Objects.requireNonNull(store, "'store' must not be null");
        return storeName(name);
    }

    /**
     * Sets the name of the store, as logs and meters show it; the simple name of its class by default.
     *
     * @param name the name
     */
    public IdempotencyTemplateBuilder storeName(String name) {
        this.storeName = Objects.requireNonNull(name, "'name' must not be null");
        return this;
    }

    /**
     * Sets when a message is marked; AUTO by default.
     *
     * @param mode the mode
     */
    public IdempotencyTemplateBuilder mode(IdempotencyMode mode) {
        this.mode = Objects.requireNonNull(mode, "'mode' must not be null");
        return this;
    }

    /**
     * Sets how long a claim is held unless it is renewed; 30 seconds by default. It is renewed three times a lease.
     *
     * @param lease positive
     */
    public IdempotencyTemplateBuilder lease(Duration lease) {
        this.lease = Settings.requirePositive(lease, "lease");
        return this;
    }

    /**
     * Sets how long a claim is renewed at most; one hour by default.
     *
     * @param leaseLimit positive
     */
    public IdempotencyTemplateBuilder leaseLimit(Duration leaseLimit) {
        this.leaseLimit = Settings.requirePositive(leaseLimit, "leaseLimit");
        return this;
    }

    /**
     * Sets how long a copy waits for the end of the first before it goes back to be delivered later.
     *
     * @param inFlightWait zero for not at all; null, the default, for what suits the container, one second without one
     */
    public IdempotencyTemplateBuilder inFlightWait(@Nullable Duration inFlightWait) {
        if (inFlightWait != null && inFlightWait.isNegative()) {
            throw new IllegalArgumentException("'inFlightWait' must not be negative: " + inFlightWait);
        }
        this.inFlightWait = inFlightWait;
        return this;
    }

    /**
     * Sets what happens if the store does not answer before the handler runs; DEFER by default.
     *
     * @param policy the policy
     */
    public IdempotencyTemplateBuilder onStoreFailure(StoreFailurePolicy policy) {
        this.onStoreFailure = Objects.requireNonNull(policy, "'policy' must not be null");
        return this;
    }

    /**
     * Sets what happens to a message that has no usable id; PROCESS by default.
     *
     * @param policy the policy
     */
    public IdempotencyTemplateBuilder onMissingId(MissingIdPolicy policy) {
        this.onMissingId = Objects.requireNonNull(policy, "'policy' must not be null");
        return this;
    }

    /**
     * Sets how a transaction of mode TRANSACTIONAL is begun; the manager's defaults by default.
     *
     * @param settings isolation and timeout
     */
    public IdempotencyTemplateBuilder transaction(TransactionSettings settings) {
        this.transaction = Objects.requireNonNull(settings, "'settings' must not be null");
        return this;
    }

    /**
     * States that the work declares a transaction of its own. If it is one on the resource of a transactional store,
     * AUTO is TRANSACTIONAL, and a transaction of mode TRANSACTIONAL is begun as the work declares it. To be called
     * after {@link #store}, {@link #mode} and {@link #asynchronous}, which excludes it.
     *
     * @param settings isolation and timeout that the work declares
     * @param resource whether the declared transaction is on a given {@link
     *     TransactionalIdempotencyStore#transactionResource() resource}
     */
    public IdempotencyTemplateBuilder handlerTransaction(TransactionSettings settings, Predicate<Object> resource) {
        boolean applicable = !asynchronous && (mode == IdempotencyMode.AUTO || mode == IdempotencyMode.TRANSACTIONAL);
        if (applicable
                && store instanceof TransactionalIdempotencyStore shared
                && resource.test(shared.transactionResource())) {
            this.mode = IdempotencyMode.TRANSACTIONAL;
            this.transaction = Objects.requireNonNull(settings, "'settings' must not be null");
        }
        return this;
    }

    /**
     * States that the work returns before it is done, as with a future. A call of it never waits for a copy in flight,
     * takes no part in a transaction on the store, and cannot be TRANSACTIONAL: {@link #build()} refuses that. Work that
     * turns out to return such a value is judged at its completion without this, too.
     */
    public IdempotencyTemplateBuilder asynchronous() {
        this.asynchronous = true;
        return this;
    }

    /**
     * Adds results that are known to be asynchronous, besides those of the JDK: futures and completion stages. A result
     * of a kind that is not known is taken for the end of its work.
     *
     * @param results further kinds, asked after those that were added before
     */
    public IdempotencyTemplateBuilder asyncResults(AsyncResults results) {
        asyncResults.add(Objects.requireNonNull(results, "'results' must not be null"));
        return this;
    }

    /**
     * Sets where {@link IdempotencyTemplate#wrap} finds the id of a message; by default a text is its own id.
     *
     * @param resolver the resolver
     */
    public IdempotencyTemplateBuilder messageIdResolver(MessageIdResolver resolver) {
        this.resolver = Objects.requireNonNull(resolver, "'resolver' must not be null");
        return this;
    }

    /**
     * Sets what is said of a message without a usable id, besides that: by whom it was looked for, and what to do.
     *
     * @param advice sentences
     */
    public IdempotencyTemplateBuilder missingIdAdvice(String advice) {
        this.missingIdAdvice = Objects.requireNonNull(advice, "'advice' must not be null");
        return this;
    }

    /**
     * Adds a listener, of the first template only: those derived from it share its listeners.
     *
     * @param listener the listener
     */
    public IdempotencyTemplateBuilder listener(IdempotencyListener listener) {
        if (inherited != null) {
            throw new IllegalStateException("A derived template shares the listeners of its origin. Add it there.");
        }
        listeners.add(Objects.requireNonNull(listener, "'listener' must not be null"));
        return this;
    }

    /**
     * Makes the template.
     *
     * @throws IllegalArgumentException if the store cannot give the mode, or the work is asynchronous and the mode
     *     TRANSACTIONAL
     */
    public IdempotencyTemplate build() {
        Duration wait = asynchronous ? Duration.ZERO : inFlightWait;
        Settings settings =
                new Settings(mode, lease, leaseLimit, wait, onStoreFailure, onMissingId, transaction, asynchronous);
        Shared shared = inherited != null ? inherited : new Shared(new Observers(listeners));
        return new IdempotencyTemplate(new TemplateSpec(
                store, storeName, settings, resolver, missingIdAdvice, List.copyOf(asyncResults), shared));
    }
}
