package dev.idempotency.core;

import org.jspecify.annotations.Nullable;

/** The transactions of the application on the current thread, as far as the guard has to obey them. */
interface Transactions {

    /** Without Spring's transactions on the class path there are none to obey. */
    Transactions NONE = new Transactions() {
        @Override
        public @Nullable Enclosing current() {
            return null;
        }

        @Override
        public boolean isOpenOn(Object resource) {
            return false;
        }
    };

    /**
     * Returns the resource transaction that is open on this thread, whose end decides what becomes of the effects
     * written through it; null if there is none. A broker's own transaction is none.
     */
    @Nullable
    Enclosing current();

    /** Returns whether a transaction is open on this thread that has bound the resource. */
    boolean isOpenOn(Object resource);

    /** A transaction that began before the guard was called and ends after it has returned. */
    interface Enclosing {

        /** Returns whether the subject has been handled successfully in this very transaction, and shares its fate. */
        boolean shares(Object subject);

        /** Tells the handling once when the transaction has ended. */
        void onEnd(Handling handling);
    }

    /** What was handled in a transaction, and waits for its end. */
    interface Handling {

        /** Returns whether it was the subject's, and has succeeded by now. */
        default boolean hasHandled(Object subject) {
            return false;
        }

        /**
         * The transaction has ended.
         *
         * @param committed true if it committed; false if it rolled back, also to a savepoint that was set before this
         *     handling, or if that is not known
         */
        void transactionEnded(boolean committed);
    }

    static Transactions detect() {
        try {
            Class.forName(
                    "org.springframework.transaction.support.TransactionSynchronizationManager",
                    false,
                    Transactions.class.getClassLoader());
        } catch (ClassNotFoundException ex) {
            return NONE;
        }
        return new SpringTransactions();
    }
}
