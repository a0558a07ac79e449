package dev.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** O25: what speaks like MySQL takes the script for it, too, and a second time. */
class MySqlSchemaTests {

    @Test
    void makesTheTableInTheMySqlModeOfH2() {
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;MODE=MySQL;DATABASE_TO_LOWER=TRUE");
        ResourceDatabasePopulator script =
                new ResourceDatabasePopulator(new ClassPathResource("dev/idempotency/store/jdbc/schema-mysql.sql"));
        script.execute(database);
        script.execute(database);
        assertThat(new JdbcTemplate(database)
                        .queryForList(
                                "select column_name from information_schema.index_columns"
                                        + " where table_name = 'idempotency_message' order by 1",
                                String.class))
                .containsExactly("consumer", "expires_at", "message_id", "namespace");
    }
}
