package dev.idempotency.aop;

import dev.idempotency.IdempotencyMode;
import dev.idempotency.TransactionalIdempotencyStore;
import dev.idempotency.core.IdempotencyTemplate;

/** The mode that a guarded method has, and why: people who did not set it should not have to guess. */
record ModeChoice(IdempotencyMode mode, String reason) {

    /**
     * Explains the choice.
     *
     * @param template what guards the method
     * @param inherited what it is derived from
     * @param declared what the method declares of transactions
     */
    static ModeChoice of(
            IdempotencyTemplate template,
            IdempotencyTemplate inherited,
            MethodSpec spec,
            String declared,
            boolean asynchronous) {
        IdempotencyMode mode = template.mode();
        if (spec.mode() != IdempotencyMode.AUTO) {
            return new ModeChoice(mode, "set by the annotation");
        }
        if (inherited.configuredMode() != IdempotencyMode.AUTO) {
            return new ModeChoice(mode, "set for all methods");
        }
        if (mode == IdempotencyMode.TRANSACTIONAL) {
            return new ModeChoice(mode, "AUTO: the method " + declared + ", which is the store's");
        }
        String reason = mode == IdempotencyMode.CLAIM ? "AUTO: the store can claim" : "AUTO: the store cannot claim";
        if (asynchronous) {
            return new ModeChoice(mode, reason + "; the method returns before its work is done");
        }
        return new ModeChoice(
                mode,
                template.store() instanceof TransactionalIdempotencyStore
                        ? reason + "; the method " + declared
                                + "; TRANSACTIONAL where one on the store is open at its call"
                        : reason);
    }
}
