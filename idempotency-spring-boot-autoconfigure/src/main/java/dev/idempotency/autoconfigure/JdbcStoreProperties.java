package dev.idempotency.autoconfigure;

import dev.idempotency.store.jdbc.JdbcIdempotencyStore;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.jdbc.init.DatabaseInitializationProperties;

/** Properties of the store in a database. */
@ConfigurationProperties("idempotency.jdbc")
final class JdbcStoreProperties extends DatabaseInitializationProperties {

    private static final String SCHEMA = "classpath:dev/idempotency/store/jdbc/schema-@@platform@@.sql";

    /** Name of the data source bean. If not set, the only or the primary one. */
    private @Nullable String dataSource;

    /** Name of the table, with its schema where that is not the default one. */
    private String tableName = JdbcIdempotencyStore.DEFAULT_TABLE;

    /** Cron expression of when rows whose time is over are deleted; "-" to leave that to others. */
    private String cleanupCron = "0 */10 * * * *";

    /** How many rows are deleted by one statement. */
    private int cleanupBatchSize = 1000;

    JdbcStoreProperties() {
        // A table that is not made is no state to go on from.
        setContinueOnError(false);
    }

    @Override
    public String getDefaultSchemaLocation() {
        return SCHEMA;
    }

    public @Nullable String getDataSource() {
        return dataSource;
    }

    public void setDataSource(@Nullable String dataSource) {
        this.dataSource = dataSource;
    }

    public String getTableName() {
        return tableName;
    }

    public void setTableName(String tableName) {
        this.tableName = tableName;
    }

    public String getCleanupCron() {
        return cleanupCron;
    }

    public void setCleanupCron(String cleanupCron) {
        this.cleanupCron = cleanupCron;
    }

    public int getCleanupBatchSize() {
        return cleanupBatchSize;
    }

    public void setCleanupBatchSize(int cleanupBatchSize) {
        this.cleanupBatchSize = cleanupBatchSize;
    }
}
