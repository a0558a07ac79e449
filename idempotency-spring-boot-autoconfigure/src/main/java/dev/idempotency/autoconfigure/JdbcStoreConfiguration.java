package dev.idempotency.autoconfigure;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.store.jdbc.JdbcCleanup;
import dev.idempotency.store.jdbc.JdbcDialect;
import dev.idempotency.store.jdbc.JdbcIdempotencyStore;
import java.time.Duration;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.autoconfigure.init.OnDatabaseInitializationCondition;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** The store in a database of the application. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(DataSourceScriptDatabaseInitializer.class)
@ConditionalOnMissingBean(IdempotencyStore.class)
@Conditional(StoreCondition.class)
@EnableConfigurationProperties(JdbcStoreProperties.class)
@Import(DatabaseInitializationDependencyConfigurer.class)
class JdbcStoreConfiguration {

    private static final Duration CLEANUP_DELAY = Duration.ofMinutes(5);

    // After whatever else makes tables: the application's own migration may make this one.
    @Bean
    @Lazy
    @DependsOnDatabaseInitialization
    JdbcIdempotencyStore jdbcIdempotencyStore(
            IdempotencyProperties properties,
            JdbcStoreProperties jdbc,
            Environment environment,
            ListableBeanFactory beans,
            ObjectProvider<JdbcDialect> dialects) {
        PropertyChecks.requireChosen(StoreType.JDBC, properties);
        PropertyChecks.checked(properties);
        StoreDatabase database = new StoreDatabase(jdbc, beans);
        JdbcIdempotencyStore store = new JdbcIdempotencyStore(
                database.dataSource(),
                database.transactionManager(),
                database.table().toString(),
                PropertyChecks.namespace(properties, environment),
                properties.getRetention(),
                dialects.getIfUnique(database::dialect));
        StoreTable.check(store, jdbc);
        return store;
    }

    @Bean
    @Lazy
    @Conditional(OnSchemaInitialization.class)
    JdbcSchemaInitializer idempotencySchemaInitializer(JdbcStoreProperties jdbc, ListableBeanFactory beans) {
        StoreDatabase database = new StoreDatabase(jdbc, beans);
        return JdbcSchemaInitializer.of(database, jdbc);
    }

    @Bean
    @Lazy
    JdbcCleanup idempotencyCleanup(JdbcIdempotencyStore store, JdbcStoreProperties jdbc) {
        return new JdbcCleanup(store, StoreDatabase.cleanupBatchSize(jdbc));
    }

    @Bean
    @ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
    CleanupSchedule idempotencyCleanupSchedule(ObjectProvider<JdbcCleanup> cleanup, JdbcStoreProperties jdbc) {
        return new CleanupSchedule(cleanup, StoreDatabase.cleanupCron(jdbc), CLEANUP_DELAY);
    }

    static final class OnSchemaInitialization extends OnDatabaseInitializationCondition {

        OnSchemaInitialization() {
            super("Idempotency", "idempotency.jdbc.initialize-schema");
        }
    }
}
