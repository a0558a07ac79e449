package dev.idempotency.store.jdbc;

import dev.idempotency.store.jdbc.TestDatabase.Isolation;
import java.util.function.Supplier;

/** Each way to speak to a database, at one isolation. */
enum EachDatabase {
    H2(() -> H2Database.inMode(H2Database.Mode.REGULAR, Isolation.TRANSACTION_READ_COMMITTED)),
    POSTGRESQL(() -> PostgresDatabase.on(DatabaseServer.BUNDLED, Isolation.TRANSACTION_SERIALIZABLE)),
    MARIADB(() -> MariaDbDatabase.on(DatabaseServer.BUNDLED, Isolation.TRANSACTION_REPEATABLE_READ)),
    MYSQL(() -> MariaDbDatabase.asMySql(DatabaseServer.BUNDLED, Isolation.TRANSACTION_SERIALIZABLE)),
    DESCRIBED(() -> MariaDbDatabase.asUnknown(Isolation.TRANSACTION_REPEATABLE_READ));

    private final Supplier<TestDatabase> made;

    EachDatabase(Supplier<TestDatabase> made) {
        this.made = made;
    }

    TestDatabase database() {
        return made.get();
    }
}
