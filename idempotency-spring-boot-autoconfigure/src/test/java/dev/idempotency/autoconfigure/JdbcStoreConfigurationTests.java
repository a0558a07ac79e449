package dev.idempotency.autoconfigure;

import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.spy;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.Idempotent;
import dev.idempotency.MessageDeferredException;
import dev.idempotency.Outcome;
import dev.idempotency.fixture.RecordingOutcomes;
import dev.idempotency.fixture.Startup;
import dev.idempotency.store.jdbc.JdbcDialect;
import dev.idempotency.store.jdbc.JdbcIdempotencyStore;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.Transactional;

/** Kinds K1, K3, K14: the store in a database by properties alone (O76), and what is said where it cannot be had. */
@ExtendWith(OutputCaptureExtension.class)
class JdbcStoreConfigurationTests {

    private static final String TABLE = "idempotency.jdbc.table-name=";

    private final String url = freshUrl();

    private final ApplicationContextRunner application = Startup.application()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceInitializationAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    TransactionAutoConfiguration.class))
            .withPropertyValues(
                    "idempotency.store=jdbc", "spring.application.name=shop", "spring.datasource.url=" + url)
            .withBean(Payments.class);

    @Test
    void recordsTheMessageInTheTransactionOfTheHandler() {
        application.run(context -> {
            assertThat(context).getBean(IdempotencyStore.class).isInstanceOf(JdbcIdempotencyStore.class);
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            jdbc.execute("create table payment (id varchar(10) not null)");
            Payments payments = context.getBean(Payments.class);

            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> payments.pay(Map.of("meta", Map.of("id", "A"), "fail", true)));
            assertThat(jdbc.queryForObject("select count(*) from payment", Long.class))
                    .isZero();
            assertThat(jdbc.queryForObject("select count(*) from idempotency_message", Long.class))
                    .isZero();

            payments.pay(message("A"));
            payments.pay(message("A"));
            assertThat(jdbc.queryForObject("select count(*) from payment", Long.class))
                    .isOne();
            assertThat(context.getBean(RecordingOutcomes.class).outcomes())
                    .containsExactly(Outcome.FAILED, Outcome.PROCESSED, Outcome.DUPLICATE);
        });
    }

    @Test
    void makesItsTableInAnEmbeddedDatabaseOnly() {
        application
                .withPropertyValues("idempotency.jdbc.initialize-schema=never")
                .run(context -> {
                    FailureAnalysis analysis = Startup.analysisOf(context);
                    assertThat(analysis.getDescription())
                            .startsWith("Table 'idempotency_message' of the idempotency store cannot be used: ")
                            .containsIgnoringCase("\"IDEMPOTENCY_MESSAGE\" not found");
                    assertThat(analysis.getAction())
                            .contains("dev/idempotency/store/jdbc/schema-")
                            .contains("'idempotency.jdbc.initialize-schema' to 'always'")
                            .contains("'idempotency.jdbc.table-name'");
                });
    }

    @Test
    void refusesTableWithOtherColumns() {
        application
                .withPropertyValues("idempotency.jdbc.initialize-schema=never", TABLE + "information_schema.tables")
                .run(context ->
                        assertThat(Startup.analysisOf(context).getDescription()).containsIgnoringCase("not found"));
    }

    @Test
    void takesTableThatTheScriptOfTheApplicationMakes() {
        application
                .withPropertyValues(
                        "idempotency.jdbc.initialize-schema=never",
                        "spring.sql.init.schema-locations=classpath:dev/idempotency/store/jdbc/schema-h2.sql")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource({
        "messages,MESSAGES",
        "\"Messages\",Messages",
        "public.messages,MESSAGES",
        "\"PUBLIC\".\"My table\",My table"
    })
    void makesItsTableUnderAnotherName(String name, String made) {
        application.withPropertyValues(TABLE + name).run(context -> {
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            assertThat(jdbc.queryForList(
                            "select table_name from information_schema.tables" + " where table_schema = 'PUBLIC'",
                            String.class))
                    .containsExactly(made);
            assertThat(jdbc.queryForList(
                            "select index_name from information_schema.index_columns"
                                    + " where column_name = 'EXPIRES_AT'",
                            String.class))
                    .singleElement()
                    .asString()
                    .isEqualToIgnoringCase(made + "_expires_at");
        });
    }

    @ParameterizedTest
    @CsvSource({"''", "'a b'", "'a;b'", "'a.b.c.d'", "'\"a'", "'a--'", "'1a'"})
    void refusesWhatIsNoName(String name) {
        application
                .withPropertyValues(TABLE + name)
                .run(context -> assertInvalid(
                        context, "table-name", "It must be a name, or a schema and a name with a dot between them"));
    }

    @Test
    void refusesNameThatNoIndexCanBeNamedAfter() {
        application
                .withPropertyValues(TABLE + "a".repeat(48))
                .run(context -> assertThat(context).hasNotFailed());
        application
                .withPropertyValues(TABLE + "a".repeat(49))
                .run(context -> assertInvalid(context, "table-name", "not be longer than 48 characters"));
    }

    @Test
    void namesTheCandidatesWhereThereAreSeveralDataSources() {
        application
                .withUserConfiguration(TwoDatabases.class)
                .run(context ->
                        assertInvalid(context, "data-source", "none is primary. Set it to one of [one, other]."));
        application
                .withUserConfiguration(TwoDatabases.class)
                .withPropertyValues("idempotency.jdbc.data-source=wrong")
                .run(context -> assertInvalid(
                        context, "data-source", "There is no such data source, only [one, other]. Set it to one"));
        application
                .withUserConfiguration(TwoDatabases.class)
                .withPropertyValues("idempotency.jdbc.data-source=oneManager")
                .run(context -> assertInvalid(context, "data-source", "That bean is no data source."));
    }

    @Test
    void takesTheManagerThatOwnsItsDataSource() {
        application
                .withUserConfiguration(TwoDatabases.class)
                .withPropertyValues("idempotency.jdbc.data-source=one")
                .run(context -> assertThat(
                                context.getBean(JdbcIdempotencyStore.class).transactionResource())
                        .isSameAs(context.getBean("one")));
        application
                .withUserConfiguration(TwoDatabases.class)
                .withPropertyValues("idempotency.jdbc.data-source=other")
                .run(context -> assertInvalid(
                        context,
                        "data-source",
                        "No transaction manager has its transactions on this data source, of those that there are:"
                                + " [oneManager]."));
    }

    @Test
    void refusesManagerOfAWrapper() {
        application
                .withUserConfiguration(WrappedByManager.class)
                .run(context -> assertInvalid(
                        context, "data-source", "Declare a JdbcTransactionManager of this very data source"));
    }

    @Test
    void asksForThePrimaryOfSeveralManagers() {
        application
                .withUserConfiguration(TwoManagers.class)
                .run(context -> assertInvalid(
                        context, "data-source", "[first, second]. Mark the one that the handlers use with @Primary."));
    }

    // managers bind what it stands for
    @Test
    void takesProxyThatTakesPartInTransactions() {
        application.withUserConfiguration(AwareProxy.class).run(context -> {
            context.getBean(JdbcTemplate.class).execute("create table payment (id varchar(10) not null)");
            Payments payments = context.getBean(Payments.class);
            payments.pay(message("A"));
            payments.pay(message("A"));
            assertThat(context.getBean(RecordingOutcomes.class).outcomes())
                    .containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE);
        });
    }

    @Test
    void startsWhileTheDatabaseIsOutAndSaysSo(CapturedOutput output) {
        application
                .withPropertyValues(
                        "spring.datasource.url=jdbc:h2:tcp://127.0.0.1:1/none",
                        "spring.datasource.hikari.connection-timeout=250",
                        "idempotency.jdbc.initialize-schema=never",
                        "idempotency.in-flight-wait=0")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThatExceptionOfType(MessageDeferredException.class)
                            .isThrownBy(() -> context.getBean(Payments.class).pay(message("A")));
                });
        assertThat(output)
                .contains("Whether table idempotency_message of the idempotency store is there cannot be told");
    }

    @Test
    void speaksAsThePropertyOrABeanSays() {
        application
                .withPropertyValues("idempotency.jdbc.platform=cobol", "idempotency.jdbc.initialize-schema=never")
                .run(context -> assertInvalid(context, "platform", "Known are postgresql, mariadb, mysql and h2."));
        // O76: a dialect of the user is the one that is used
        application
                .withBean(
                        JdbcDialect.class, () -> JdbcDialect.standard("no_such_clock()", Set.of(), Set.of(), Set.of()))
                .run(context ->
                        assertThat(Startup.analysisOf(context).getDescription()).containsIgnoringCase("no_such_clock"));
    }

    // O22
    @Test
    void knowsAProductHoweverAProxyWritesItsName() {
        application
                .withBean(DataSource.class, () -> new Renamed(database(), "h2"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"always", "never"})
    void namesThePropertyWhereNothingIsKnownOfTheProduct(String initialize) {
        ApplicationContextRunner unknown = application
                .withBean(DataSource.class, () -> new Renamed(database(), "Something"))
                .withPropertyValues("idempotency.jdbc.initialize-schema=" + initialize);
        unknown.run(context -> assertInvalid(context, "platform", "If it speaks like one of"));
        unknown.withPropertyValues(
                        "idempotency.jdbc.platform=h2",
                        "spring.sql.init.mode=always",
                        "spring.sql.init.schema-locations=classpath:dev/idempotency/store/jdbc/schema-h2.sql")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void saysWhatToAddWhereJdbcIsMissing() {
        Startup.application()
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.jdbc"))
                .withPropertyValues("idempotency.store=jdbc")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOfSatisfying(
                                InvalidConfigurationPropertyValueException.class,
                                ex -> assertThat(ex.getReason()).contains("Add spring-boot-starter-jdbc")));
    }

    @Test
    void refusesCleanupThatCannotBe() {
        application
                .withPropertyValues("idempotency.jdbc.cleanup-cron=every day")
                .run(context -> assertInvalid(context, "cleanup-cron", "or '-' for no cleanup."));
        application
                .withPropertyValues("idempotency.jdbc.cleanup-batch-size=0")
                .run(context -> assertInvalid(context, "cleanup-batch-size", "It must be positive."));
    }

    @Test
    void schedulesCleanupUnlessItIsOff() {
        application.run(context ->
                assertThat(context.getBean(CleanupSchedule.class).isRunning()).isTrue());
        application
                .withPropertyValues("idempotency.jdbc.cleanup-cron=-")
                .run(context -> assertThat(
                                context.getBean(CleanupSchedule.class).isRunning())
                        .isFalse());
        application
                .withPropertyValues("idempotency.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(CleanupSchedule.class));
    }

    private static void assertInvalid(AssertableApplicationContext context, String property, String reason) {
        assertThat(context.getStartupFailure())
                .rootCause()
                .isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class, ex -> {
                    assertThat(ex.getName()).isEqualTo("idempotency.jdbc." + property);
                    assertThat(ex.getReason()).contains(reason);
                });
    }

    private static String freshUrl() {
        return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    }

    private static DataSource database() {
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl(freshUrl());
        return database;
    }

    /** Whose connections say that they are of another product. */
    static class Renamed extends DelegatingDataSource {

        private final String product;

        Renamed(DataSource target, String product) {
            super(target);
            this.product = product;
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            DatabaseMetaData metaData = spy(connection.getMetaData());
            given(metaData.getDatabaseProductName()).willReturn(product);
            Connection renamed = spy(connection);
            given(renamed.getMetaData()).willReturn(metaData);
            return renamed;
        }
    }

    static class Payments {

        private final JdbcTemplate jdbc;

        Payments(ObjectProvider<JdbcTemplate> jdbc) {
            this.jdbc = jdbc.getIfUnique(JdbcTemplate::new);
        }

        @Idempotent(consumer = "payments")
        @Transactional
        public void pay(Map<String, Object> message) {
            jdbc.update("insert into payment values ('A')");
            if (message.containsKey("fail")) {
                throw new IllegalStateException("no money");
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {

        @Bean
        DataSource one() {
            return database();
        }

        @Bean
        DataSource other() {
            return database();
        }

        @Bean
        JdbcTransactionManager oneManager(DataSource one) {
            return new JdbcTransactionManager(one);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WrappedByManager {

        @Bean
        DataSource one() {
            return database();
        }

        @Bean
        JdbcTransactionManager manager(DataSource one) {
            return new JdbcTransactionManager(new DelegatingDataSource(one));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoManagers {

        @Bean
        DataSource one() {
            return database();
        }

        @Bean
        JdbcTransactionManager first(DataSource one) {
            return new JdbcTransactionManager(one);
        }

        @Bean
        JdbcTransactionManager second(DataSource one) {
            return new JdbcTransactionManager(one);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AwareProxy {

        @Bean
        @Primary
        DataSource aware() {
            return new TransactionAwareDataSourceProxy(database());
        }
    }
}
