package dev.idempotency.core;

import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.IdempotencyMode;
import dev.idempotency.IdempotencyStore;
import dev.idempotency.MessageIdResolver;
import dev.idempotency.TransactionalIdempotencyStore;
import java.util.ArrayList;
import java.util.List;

/** All that makes a template. */
record TemplateSpec(
        IdempotencyStore store,
        String storeName,
        Settings settings,
        MessageIdResolver resolver,
        String missingIdAdvice,
        List<AsyncResults> asyncResults,
        Shared shared) {

    static final String PASS_AN_ID = "The caller passed none. Let the producer set one, and pass it.";
    static final String HAVE_AN_ID_FOUND =
            "The resolver found none. Let the producer set one, or name the place of one by"
                    + " 'idempotency.message-id.headers' or 'idempotency.message-id.json-pointer'.";

    /** All kinds that are known, those of the JDK first. */
    AsyncResults results() {
        List<AsyncResults> kinds = new ArrayList<>(List.of(new Futures(shared.completions())));
        kinds.addAll(asyncResults);
        return (result, work) -> {
            for (AsyncResults kind : kinds) {
                Object handedOut = kind.observe(result, work);
                if (handedOut != null) {
                    return handedOut;
                }
            }
            return null;
        };
    }

    /** What AUTO comes to on this store, and a refusal of what the store cannot give. */
    IdempotencyMode effectiveMode() {
        boolean claiming = store instanceof ClaimingIdempotencyStore;
        return switch (settings.mode()) {
            case AUTO -> claiming ? IdempotencyMode.CLAIM : IdempotencyMode.AFTER_SUCCESS;
            case AFTER_SUCCESS -> IdempotencyMode.AFTER_SUCCESS;
            case CLAIM -> {
                require(claiming, ClaimingIdempotencyStore.class);
                yield IdempotencyMode.CLAIM;
            }
            case TRANSACTIONAL -> {
                require(store instanceof TransactionalIdempotencyStore, TransactionalIdempotencyStore.class);
                requireThatWorkEndsAtReturn();
                yield IdempotencyMode.TRANSACTIONAL;
            }
        };
    }

    private void requireThatWorkEndsAtReturn() {
        if (settings.asynchronous()) {
            throw new IllegalArgumentException("Mode TRANSACTIONAL cannot be had of asynchronous work: its transaction"
                    + " ends at the return, before the work does. Return the value itself, or choose another mode.");
        }
    }

    private void require(boolean capable, Class<?> type) {
        if (!capable) {
            throw new IllegalArgumentException("Mode " + settings.mode() + " cannot be had of store '" + storeName
                    + "': " + store.getClass().getName() + " is no " + type.getSimpleName()
                    + ". Choose another mode or another store.");
        }
    }
}
