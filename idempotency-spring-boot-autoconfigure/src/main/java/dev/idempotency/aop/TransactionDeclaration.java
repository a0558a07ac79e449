package dev.idempotency.aop;

/**
 * What a guarded method declares of transactions.
 *
 * @param words for people: a verb and its object
 * @param isOutside whether its work would not be in a transaction that the guard has begun
 * @param commitsFailures whether its rules would commit although it throws
 */
record TransactionDeclaration(String words, boolean isOutside, boolean commitsFailures) {

    static final TransactionDeclaration NONE = new TransactionDeclaration("declares no transaction", false, false);

    static TransactionDeclaration outside(String words) {
        return new TransactionDeclaration(words, true, false);
    }

    static TransactionDeclaration inside(String words) {
        return new TransactionDeclaration(words, false, false);
    }
}
