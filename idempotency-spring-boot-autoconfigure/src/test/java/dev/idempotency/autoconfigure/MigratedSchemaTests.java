package dev.idempotency.autoconfigure;

import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.Idempotent;
import dev.idempotency.fixture.Startup;
import dev.idempotency.store.jdbc.JdbcIdempotencyStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Kind K14: where a migration of the application makes the table, the store looks for it after that, and not before. */
class MigratedSchemaTests {

    @TempDir
    private Path migrations;

    private final ApplicationContextRunner application = Startup.application()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceInitializationAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    TransactionAutoConfiguration.class))
            .withPropertyValues(
                    "idempotency.store=jdbc",
                    "idempotency.jdbc.initialize-schema=never",
                    "spring.application.name=shop",
                    "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1")
            .withBean(Payments.class)
            // which is made before any bean of an auto-configuration
            .withBean(EarlyUser.class);

    @BeforeEach
    void copyScript() throws IOException {
        String script = new ClassPathResource("dev/idempotency/store/jdbc/schema-h2.sql")
                .getContentAsString(StandardCharsets.UTF_8);
        Files.writeString(migrations.resolve("V1__idempotency.sql"), script);
        Files.writeString(migrations.resolve("changes.sql"), """
                --liquibase formatted sql
                --changeset shop:1
                """ + script);
    }

    private ApplicationContextRunner flyway() {
        return application
                .withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
                .withPropertyValues("spring.flyway.locations=filesystem:" + migrations);
    }

    private ApplicationContextRunner liquibase() {
        return application
                .withConfiguration(AutoConfigurations.of(LiquibaseAutoConfiguration.class))
                .withPropertyValues("spring.liquibase.change-log=file:" + migrations.resolve("changes.sql"));
    }

    @Test
    void looksForTheTableAfterFlyway() {
        flyway().run(context -> {
            context.getBean(Payments.class).on(message("A"));
            assertThat(marks(context.getBean(JdbcTemplate.class))).isOne();
        });
    }

    @Test
    void looksForTheTableAfterLiquibase() {
        liquibase().run(context -> {
            context.getBean(Payments.class).on(message("A"));
            assertThat(marks(context.getBean(JdbcTemplate.class))).isOne();
        });
    }

    // and makes its own beside them, where that is asked for
    @ParameterizedTest
    @ValueSource(strings = {"embedded", "always"})
    void makesAnotherTableBesideAMigration(String initialize) {
        flyway().withPropertyValues(
                        "idempotency.jdbc.initialize-schema=" + initialize, "idempotency.jdbc.table-name=other")
                .run(context -> {
                    context.getBean(Payments.class).on(message("A"));
                    assertThat(marks(context.getBean(JdbcTemplate.class))).isZero();
                });
    }

    private static int marks(JdbcTemplate jdbc) {
        return jdbc.queryForList("select status from idempotency_message").size();
    }

    static class EarlyUser {

        EarlyUser(IdempotencyStore store) {
            assertThat(store).isInstanceOf(JdbcIdempotencyStore.class);
        }
    }

    static class Payments {

        @Idempotent(consumer = "payments")
        @Transactional
        public void on(Map<String, Object> message) {}
    }
}
