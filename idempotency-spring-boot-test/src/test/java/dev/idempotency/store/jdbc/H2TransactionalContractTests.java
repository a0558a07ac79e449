package dev.idempotency.store.jdbc;

import dev.idempotency.store.jdbc.H2Database.Mode;
import dev.idempotency.store.jdbc.TestDatabase.Isolation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** O21: the same in each mode of H2; what it is, its name says, and not its mode. */
@ParameterizedClass
@MethodSource("dev.idempotency.store.jdbc.H2Database#all")
class H2TransactionalContractTests extends JdbcTransactionalContract {

    H2TransactionalContractTests(Mode mode, Isolation isolation) {
        super(H2Database.inMode(mode, isolation));
    }
}
