package dev.idempotency.aop;

import dev.idempotency.IdempotencyMode;
import dev.idempotency.TransactionalIdempotencyStore;
import dev.idempotency.core.IdempotencyTemplate;

/**
 * The mode that a guarded method has, and why: people who did not set it should not have to guess.
 *
 * @param rollsBackMore whether the guard rolls back what the method's own rules would commit
 */
record ModeChoice(IdempotencyMode mode, String reason, boolean rollsBackMore) {

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
            TransactionDeclaration declared,
            boolean asynchronous) {
        IdempotencyMode mode = template.mode();
        return new ModeChoice(
                mode,
                reason(template, inherited, spec, declared, asynchronous),
                mode == IdempotencyMode.TRANSACTIONAL && declared.commitsFailures());
    }

    private static String reason(
            IdempotencyTemplate template,
            IdempotencyTemplate inherited,
            MethodSpec spec,
            TransactionDeclaration declared,
            boolean asynchronous) {
        IdempotencyMode mode = template.mode();
        if (spec.mode() != IdempotencyMode.AUTO) {
            return "set by the annotation";
        }
        if (inherited.configuredMode() != IdempotencyMode.AUTO) {
            return "set for all methods";
        }
        if (mode == IdempotencyMode.TRANSACTIONAL) {
            return "AUTO: the method " + declared.words() + ", which is the store's";
        }
        String reason = mode == IdempotencyMode.CLAIM ? "AUTO: the store can claim" : "AUTO: the store cannot claim";
        if (asynchronous) {
            return reason + "; the method returns before its work is done";
        }
        return template.store() instanceof TransactionalIdempotencyStore
                ? reason + "; the method " + declared.words()
                        + "; TRANSACTIONAL where one on the store is open at its call"
                : reason;
    }
}
