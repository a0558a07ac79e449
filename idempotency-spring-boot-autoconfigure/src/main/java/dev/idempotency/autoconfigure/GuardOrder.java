package dev.idempotency.autoconfigure;

import org.springframework.core.Ordered;

/** Where the guard stands among other advice: inside retry, outside transactions, which are last by default. */
final class GuardOrder {

    static final int DEFAULT = Ordered.LOWEST_PRECEDENCE - 100;

    private GuardOrder() {}
}
