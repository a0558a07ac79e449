package dev.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** O25: the scripts make the table where they have to, under the strictest limits of keys, and a second time. */
class SchemaTests {

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

    // a column of a key may have 767 bytes there, and a character of the table's own may take four
    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    void keepsWithinTheLimitsOfOldRowFormats(String platform) throws IOException {
        String table = "strict_" + platform;
        String script = new ClassPathResource("dev/idempotency/store/jdbc/schema-" + platform + ".sql")
                .getContentAsString(StandardCharsets.UTF_8);
        String strict = TableName.of(table)
                .in(script)
                .replace("ENGINE = InnoDB", "ENGINE = InnoDB ROW_FORMAT = COMPACT CHARACTER SET utf8mb4");
        DataSource database = EachDatabase.MARIADB.database().dataSource();
        new ResourceDatabasePopulator(new ByteArrayResource(strict.getBytes(StandardCharsets.UTF_8))).execute(database);
        Map<String, Object> made = new JdbcTemplate(database).queryForMap("show create table " + table);
        assertThat(made.get("Create Table"))
                .asString()
                .contains("ROW_FORMAT=COMPACT")
                .contains("PRIMARY KEY (`namespace`,`consumer`,`message_id`)");
    }
}
