package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.idempotency.TransactionSettings;
import dev.idempotency.aop.TransactionalHandlers.ClaimDespite;
import dev.idempotency.aop.TransactionalHandlers.Declaring;
import dev.idempotency.aop.TransactionalHandlers.DeclaringClass;
import dev.idempotency.aop.TransactionalHandlers.FailingAfterEffect;
import dev.idempotency.aop.TransactionalHandlers.Handling;
import dev.idempotency.aop.TransactionalHandlers.Mandatory;
import dev.idempotency.aop.TransactionalHandlers.NotSupported;
import dev.idempotency.aop.TransactionalHandlers.OnAnother;
import dev.idempotency.aop.TransactionalHandlers.OnTheStores;
import dev.idempotency.aop.TransactionalHandlers.Particular;
import dev.idempotency.aop.TransactionalHandlers.Quiet;
import dev.idempotency.aop.TransactionalHandlers.ReadOnly;
import dev.idempotency.aop.TransactionalHandlers.RequiresNew;
import dev.idempotency.aop.TransactionalHandlers.Undeclared;
import dev.idempotency.fixture.Database;
import dev.idempotency.fixture.H2Store;
import java.io.IOException;
import java.sql.Connection;
import java.time.Duration;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.TransactionTemplate;

/** Kind K1: AUTO shares the transaction that the guarded method itself declares on the store's own resource (O03). */
class DeclaredTransactionTests {

    private final ApplicationContextRunner application =
            application().withUserConfiguration(Database.class).withBean(H2Store.class);

    @Test
    void recordsInTheTransactionThatTheMethodDeclares() {
        application.withBean(Declaring.class).run(context -> {
            context.getBean(Declaring.class).on(message("1"));
            context.getBean(Declaring.class).on(message("1"));
            H2Store store = context.getBean(H2Store.class);
            assertThat(store.begun()).containsOnly(TransactionSettings.DEFAULT).hasSize(2);
            assertThat(store.marks()).isEqualTo(1);
            assertThat(Database.effects(context.getBean(JdbcTemplate.class))).isEqualTo(1);
        });
    }

    @Test
    void rollsBackMarkAndEffectTogetherAlsoForCheckedException() {
        application.withBean(FailingAfterEffect.class).run(context -> {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> context.getBean(FailingAfterEffect.class).on(message("1")));
            assertThat(context.getBean(H2Store.class).marks()).isZero();
            assertThat(Database.effects(context.getBean(JdbcTemplate.class))).isZero();
        });
    }

    @Test
    void beginsTheTransactionAsItIsDeclared() {
        application.withBean(Particular.class).run(context -> {
            context.getBean(Particular.class).on(message("1"));
            assertThat(context.getBean(H2Store.class).begun())
                    .containsExactly(
                            new TransactionSettings(Connection.TRANSACTION_SERIALIZABLE, Duration.ofSeconds(7)));
        });
    }

    @Test
    void takesDeclarationOfTheClass() {
        application.withBean(DeclaringClass.class).run(context -> {
            context.getBean(DeclaringClass.class).on(message("1"));
            assertThat(context.getBean(H2Store.class).begun()).hasSize(1);
        });
    }

    static Stream<Arguments> beginsNoTransaction() {
        return Stream.of(
                Arguments.of(Undeclared.class),
                Arguments.of(ReadOnly.class),
                Arguments.of(RequiresNew.class),
                Arguments.of(NotSupported.class),
                Arguments.of(ClaimDespite.class));
    }

    @ParameterizedTest
    @MethodSource
    void beginsNoTransaction(Class<? extends Handling> bean) {
        application.withBean(bean).run(context -> {
            context.getBean(bean).on(message("1"));
            context.getBean(bean).on(message("1"));
            assertThat(context.getBean(H2Store.class).begun()).isEmpty();
            assertThat(context.getBean(H2Store.class).marks()).isEqualTo(1);
        });
    }

    @Test
    void leavesConfiguredModeAsItIs() {
        application
                .withPropertyValues("idempotency.mode=claim")
                .withBean(Declaring.class)
                .run(context -> {
                    context.getBean(Declaring.class).on(message("1"));
                    assertThat(context.getBean(H2Store.class).begun()).isEmpty();
                });
    }

    @Test
    void neverBeginsWhatTheMethodInsistsOnFindingOpen() {
        application.withBean(Mandatory.class).run(context -> {
            Mandatory bean = context.getBean(Mandatory.class);
            assertThatExceptionOfType(IllegalTransactionStateException.class).isThrownBy(() -> bean.on(message("1")));
            assertThat(context.getBean(H2Store.class).begun()).isEmpty();
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(status -> bean.on(message("1")));
            assertThat(context.getBean(H2Store.class).begun()).hasSize(1);
        });
    }

    @Test
    void beginsNoTransactionWhereNothingObeysTheDeclaration() {
        DataSource dataSource = Database.inMemory();
        DataSourceTransactionManager manager = new DataSourceTransactionManager(dataSource);
        H2Store store = new H2Store(dataSource, manager);
        application()
                .withBean(DataSourceTransactionManager.class, () -> manager)
                .withBean(H2Store.class, () -> store)
                .withBean(Quiet.class)
                .run(context -> {
                    context.getBean(Quiet.class).on(message("1"));
                    assertThat(store.begun()).isEmpty();
                });
    }

    @Test
    void knowsManagerThatBindsTheDataSourceBesideItsOwnResource() {
        application()
                .withUserConfiguration(MappedDatabase.class)
                .withBean(Quiet.class)
                .run(context -> {
                    context.getBean(Quiet.class).on(message("1"));
                    assertThat(context.getBean(H2Store.class).begun()).hasSize(1);
                });
    }

    @Test
    void tellsManagersApartByTheirQualifier() {
        application()
                .withUserConfiguration(TwoDatabases.class)
                .withBean(OnTheStores.class)
                .withBean(OnAnother.class)
                .run(context -> {
                    H2Store store = context.getBean(H2Store.class);
                    context.getBean(OnAnother.class).on(message("1"));
                    assertThat(store.begun()).isEmpty();
                    context.getBean(OnTheStores.class).on(message("1"));
                    assertThat(store.begun()).hasSize(1);
                });
    }

    @Configuration
    @EnableTransactionManagement
    static class TwoDatabases {

        @Bean
        DataSource firstDataSource() {
            return Database.inMemory();
        }

        @Bean
        DataSourceTransactionManager first() {
            return new DataSourceTransactionManager(firstDataSource());
        }

        @Bean
        DataSourceTransactionManager second() {
            return new DataSourceTransactionManager(Database.inMemory());
        }

        @Bean
        H2Store store() {
            return new H2Store(firstDataSource(), first());
        }

        @Bean
        JdbcTemplate jdbcTemplate() {
            return new JdbcTemplate(firstDataSource());
        }
    }

    @Configuration
    @EnableTransactionManagement
    static class MappedDatabase {

        @Bean
        DataSource dataSource() {
            return Database.inMemory();
        }

        @Bean
        MappingManager manager() {
            return new MappingManager(dataSource());
        }

        @Bean
        H2Store store() {
            return new H2Store(dataSource(), manager());
        }
    }

    /** As the manager of an ORM: its resource is a factory of its own, and the DataSource a property. */
    static class MappingManager extends DataSourceTransactionManager {

        private final Object factory = new Object();

        MappingManager(DataSource dataSource) {
            super(dataSource);
        }

        @Override
        public Object getResourceFactory() {
            return factory;
        }
    }
}
