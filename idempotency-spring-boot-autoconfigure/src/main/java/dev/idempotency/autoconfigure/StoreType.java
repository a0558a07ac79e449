package dev.idempotency.autoconfigure;

/**
 * The stores that can be chosen by {@code idempotency.store}.
 *
 * @since 0.1
 */
public enum StoreType {

    /** In the memory of this process, bounded: for tests and single processes. */
    IN_MEMORY,

    /** In Redis, shared by all processes of a namespace. */
    REDIS,

    /** In a table of the application's database: recorded in the transaction of the handler's own work. */
    JDBC
}
