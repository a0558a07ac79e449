package dev.idempotency.store.jdbc;

import dev.idempotency.store.jdbc.TestDatabase.Isolation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A database that a user describes. */
@ParameterizedClass
@EnumSource(Isolation.class)
class DescribedTransactionalContractTests extends JdbcTransactionalContract {

    DescribedTransactionalContractTests(Isolation isolation) {
        super(MariaDbDatabase.asUnknown(isolation));
    }
}
