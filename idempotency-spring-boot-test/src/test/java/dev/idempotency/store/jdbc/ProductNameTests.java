package dev.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** O22: drivers and proxies write the name of a product as they like. */
class ProductNameTests {

    @ParameterizedTest
    @CsvSource({
        "PostgreSQL,PostgresDialect",
        "postgresql,PostgresDialect",
        "' POSTGRESQL ',PostgresDialect",
        "MariaDB,MariaDbDialect",
        // what MySQL's driver says of a MariaDB, too
        "MySQL,MySqlDialect",
        "mysql,MySqlDialect",
        "H2,H2Dialect"
    })
    void isToldByTheProduct(String product, String dialect) throws SQLException {
        assertThat(JdbcDialect.detected().of(connectionTo(product)).getClass().getSimpleName())
                .isEqualTo(dialect);
    }

    @Test
    void isRefusedWhereNothingIsKnownOfIt() throws SQLException {
        Connection connection = connectionTo("EnterpriseDB");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcDialect.detected().of(connection))
                .withMessageContaining("'EnterpriseDB'")
                .withMessageContaining("'idempotency.jdbc.platform'")
                .withMessageContaining("JdbcDialect.standard");
    }

    private static Connection connectionTo(String product) throws SQLException {
        Connection connection = mock(Connection.class);
        DatabaseMetaData metaData = mock(DatabaseMetaData.class);
        given(connection.getMetaData()).willReturn(metaData);
        given(metaData.getDatabaseProductName()).willReturn(product);
        return connection;
    }
}
