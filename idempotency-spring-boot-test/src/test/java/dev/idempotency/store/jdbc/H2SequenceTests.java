package dev.idempotency.store.jdbc;

import dev.idempotency.store.jdbc.H2Database.Mode;
import dev.idempotency.store.jdbc.TestDatabase.Isolation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("dev.idempotency.store.jdbc.H2Database#all")
class H2SequenceTests extends JdbcSequences {

    H2SequenceTests(Mode mode, Isolation isolation) {
        super(H2Database.inMode(mode, isolation));
    }
}
