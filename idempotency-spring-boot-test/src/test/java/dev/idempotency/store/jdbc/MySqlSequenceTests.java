package dev.idempotency.store.jdbc;

import dev.idempotency.store.jdbc.TestDatabase.Isolation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("dev.idempotency.store.jdbc.DatabaseServer#mySql")
class MySqlSequenceTests extends JdbcSequences {

    MySqlSequenceTests(DatabaseServer server, Isolation isolation) {
        super(MariaDbDatabase.asMySql(server, isolation));
    }
}
