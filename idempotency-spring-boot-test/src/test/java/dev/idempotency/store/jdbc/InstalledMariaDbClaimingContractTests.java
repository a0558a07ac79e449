package dev.idempotency.store.jdbc;

import dev.idempotency.store.jdbc.TestDatabase.Isolation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class InstalledMariaDbClaimingContractTests extends JdbcClaimingContract {

    InstalledMariaDbClaimingContractTests(Isolation isolation) {
        super(MariaDbDatabase.installed(isolation));
    }
}
