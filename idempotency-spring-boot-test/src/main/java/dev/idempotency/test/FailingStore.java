package dev.idempotency.test;

import dev.idempotency.Claim;
import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.IdempotencyStore;
import dev.idempotency.TransactionalIdempotencyStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;

/**
 * A switch in front of a store: it can be down as a whole or for some operations, and it can keep renewals from
 * reaching the store, as a stalled process does.
 *
 * <p>{@link #store()} has the same capabilities as the store behind it. An operation that fails does not reach it.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1
 */
public final class FailingStore {

    /** The operations of all store types; a batch operation counts as the one it repeats. */
    public enum Operation {
        /** {@link IdempotencyStore#seen} and {@link IdempotencyStore#seenAmong}. */
        SEEN("seen", "seenAmong"),
        /** {@link IdempotencyStore#remember} and {@link IdempotencyStore#rememberAll}. */
        REMEMBER("remember", "rememberAll"),
        /** {@link IdempotencyStore#forget}. */
        FORGET("forget"),
        /** {@link IdempotencyStore#state}. */
        STATE("state"),
        /** {@link ClaimingIdempotencyStore#claim} and {@link ClaimingIdempotencyStore#claimAll}. */
        CLAIM("claim", "claimAll"),
        /** {@link ClaimingIdempotencyStore#renew} and {@link ClaimingIdempotencyStore#renewAll}. */
        RENEW("renew", "renewAll"),
        /** {@link ClaimingIdempotencyStore#complete} and {@link ClaimingIdempotencyStore#completeAll}. */
        COMPLETE("complete", "completeAll"),
        /** {@link ClaimingIdempotencyStore#release} and {@link ClaimingIdempotencyStore#releaseAll}. */
        RELEASE("release", "releaseAll"),
        /** {@link TransactionalIdempotencyStore#inTransaction}: no transaction can be begun or joined. */
        BEGIN("inTransaction"),
        /** {@link TransactionalIdempotencyStore#record} and {@link TransactionalIdempotencyStore#recordAll}. */
        RECORD("record", "recordAll");

        private final List<String> methods;

        Operation(String... methods) {
            this.methods = List.of(methods);
        }

        static @Nullable Operation of(Method method) {
            return Arrays.stream(values())
                    .filter(operation -> operation.methods.contains(method.getName()))
                    .findFirst()
                    .orElse(null);
        }
    }

    private final IdempotencyStore target;
    private final IdempotencyStore store;
    private final Set<Operation> failing = new CopyOnWriteArraySet<>();
    private final Set<String> stalledOwners = ConcurrentHashMap.newKeySet();
    private volatile boolean stalling;

    private FailingStore(IdempotencyStore target) {
        this.target = target;
        this.store = (IdempotencyStore) Proxy.newProxyInstance(
                IdempotencyStore.class.getClassLoader(),
                capabilities(target).toArray(Class<?>[]::new),
                (proxy, method, arguments) -> call(method, arguments));
    }

    /**
     * Returns a switch in front of the store, which is up at first.
     *
     * @param store a store of any type
     */
    public static FailingStore of(IdempotencyStore store) {
        return new FailingStore(store);
    }

    /**
     * Returns the store that fails when told to. It implements each of the three store types that the store behind it
     * implements, and may be cast to them.
     */
    public IdempotencyStore store() {
        return store;
    }

    /** Lets every operation fail from now on. */
    public void down() {
        failing.addAll(EnumSet.allOf(Operation.class));
    }

    /**
     * Lets some operations fail from now on, besides those that already do.
     *
     * @param operations the operations
     */
    public void down(Operation... operations) {
        failing.addAll(List.of(operations));
    }

    /** Lets every operation reach the store again. */
    public void up() {
        failing.clear();
    }

    /**
     * Keeps the claims that are acquired from now on from being renewed, however long they are held: their renewal is
     * answered as if it had succeeded, but never reaches the store.
     */
    public void blockRenewals() {
        stalling = true;
    }

    /** Lets the claims that are acquired from now on be renewed; those acquired while blocked stay as they are. */
    public void allowRenewals() {
        stalling = false;
    }

    private static Set<Class<?>> capabilities(IdempotencyStore target) {
        Set<Class<?>> capabilities = new LinkedHashSet<>(List.of(IdempotencyStore.class));
        for (Class<?> type : List.of(ClaimingIdempotencyStore.class, TransactionalIdempotencyStore.class)) {
            if (type.isInstance(target)) {
                capabilities.add(type);
            }
        }
        return capabilities;
    }

    private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getName().equals("equals") && arguments != null) {
            return store == arguments[0];
        }
        Operation operation = Operation.of(method);
        if (operation != null && failing.contains(operation)) {
            throw new UncheckedIOException(new IOException("Store is down for '" + method.getName() + "'"));
        }
        if (operation == Operation.RENEW && arguments != null) {
            return renew(method, arguments);
        }
        Object answer = callTarget(method, arguments);
        if (operation == Operation.CLAIM && arguments != null && stalling && isAcquired(answer)) {
            stalledOwners.add((String) arguments[1]);
        }
        return answer;
    }

    private @Nullable Object callTarget(Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException ex) {
            throw ex.getCause();
        }
    }

    private @Nullable Object renew(Method method, Object[] arguments) throws Throwable {
        if (!(arguments[0] instanceof Map<?, ?> owners)) {
            return stalledOwners.contains((String) arguments[1]) ? true : callTarget(method, arguments);
        }
        Map<Object, Object> reaching = new LinkedHashMap<>(owners);
        reaching.values().removeAll(stalledOwners);
        Set<Object> renewed = new LinkedHashSet<>(owners.keySet());
        renewed.removeAll(reaching.keySet());
        if (callTarget(method, new Object[] {reaching, arguments[1]}) instanceof Set<?> answered) {
            renewed.addAll(answered);
        }
        return renewed;
    }

    private static boolean isAcquired(@Nullable Object answer) {
        return answer == Claim.ACQUIRED || answer instanceof Map<?, ?> claims && claims.containsValue(Claim.ACQUIRED);
    }
}
