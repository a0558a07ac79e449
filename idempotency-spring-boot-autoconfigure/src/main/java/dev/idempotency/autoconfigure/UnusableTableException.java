package dev.idempotency.autoconfigure;

import org.springframework.jdbc.BadSqlGrammarException;

/** The table of the store is missing, has other columns, or may not be read. */
final class UnusableTableException extends IllegalStateException {

    private final String table;

    UnusableTableException(String table, BadSqlGrammarException cause) {
        super("Table '" + table + "' of the idempotency store cannot be used", cause);
        this.table = table;
    }

    String table() {
        return table;
    }
}
