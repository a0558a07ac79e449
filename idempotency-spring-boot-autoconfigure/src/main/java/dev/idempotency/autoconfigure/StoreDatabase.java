package dev.idempotency.autoconfigure;

import dev.idempotency.aop.TransactionOwner;
import dev.idempotency.store.jdbc.JdbcDialect;
import dev.idempotency.store.jdbc.TableName;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.transaction.PlatformTransactionManager;

/** The beans and names that the store in a database is made of; each refusal names its property and the candidates. */
final class StoreDatabase {

    private final JdbcStoreProperties properties;
    private final ListableBeanFactory beans;

    StoreDatabase(JdbcStoreProperties properties, ListableBeanFactory beans) {
        this.properties = properties;
        this.beans = beans;
    }

    TableName table() {
        try {
            return TableName.of(properties.getTableName());
        } catch (IllegalArgumentException ex) {
            throw invalid("table-name", properties.getTableName(), ex.getMessage());
        }
    }

    JdbcDialect dialect() {
        String platform = properties.getPlatform();
        if (platform == null) {
            return JdbcDialect.detected();
        }
        try {
            return JdbcDialect.named(platform);
        } catch (IllegalArgumentException ex) {
            throw invalid("platform", platform, ex.getMessage());
        }
    }

    DataSource dataSource() {
        String name = properties.getDataSource();
        try {
            DataSource found = name != null ? beans.getBean(name, DataSource.class) : beans.getBean(DataSource.class);
            return bound(found);
        } catch (NoUniqueBeanDefinitionException ex) {
            throw invalidDataSource(
                    name,
                    "There are several data sources, and none is primary. Set it to one of " + dataSources() + ".");
        } catch (BeanNotOfRequiredTypeException ex) {
            throw invalidDataSource(name, "That bean is no data source. Set it to one of " + dataSources() + ".");
        } catch (NoSuchBeanDefinitionException ex) {
            throw invalidDataSource(
                    name,
                    name != null
                            ? "There is no such data source, only " + dataSources() + ". Set it to one of them."
                            : "There is no data source. Add spring-boot-starter-jdbc and 'spring.datasource.url', or"
                                    + " declare a DataSource bean.");
        }
    }

    /** Managers bind what such a proxy stands for. */
    private static DataSource bound(DataSource dataSource) {
        return dataSource instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null
                ? bound(proxy.getTargetDataSource())
                : dataSource;
    }

    /** Returns the manager whose transactions are on the data source; the primary one, if there are several. */
    PlatformTransactionManager transactionManager() {
        DataSource dataSource = dataSource();
        Map<String, PlatformTransactionManager> all =
                new TreeMap<>(beans.getBeansOfType(PlatformTransactionManager.class));
        Map<String, PlatformTransactionManager> owners = new TreeMap<>(all);
        owners.values().removeIf(manager -> !TransactionOwner.owns(manager, dataSource));
        if (owners.size() == 1) {
            return owners.values().iterator().next();
        }
        PlatformTransactionManager primary =
                beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique();
        if (primary != null && owners.containsValue(primary)) {
            return primary;
        }
        throw invalidDataSource(properties.getDataSource(), owners.isEmpty() ? noOwner(all) : severalOwners(owners));
    }

    private static String noOwner(Map<String, PlatformTransactionManager> all) {
        return "No transaction manager has its transactions on this data source, of those that there are: "
                + all.keySet() + ". Declare a JdbcTransactionManager of this very data source, not of a wrapper of it,"
                + " or set the property to the data source of one of them.";
    }

    private static String severalOwners(Map<String, PlatformTransactionManager> owners) {
        return "Several transaction managers have their transactions on this data source: " + owners.keySet()
                + ". Mark the one that the handlers use with @Primary.";
    }

    static int cleanupBatchSize(JdbcStoreProperties properties) {
        int size = properties.getCleanupBatchSize();
        if (size < 1) {
            throw invalid("cleanup-batch-size", size, "It must be positive.");
        }
        return size;
    }

    static String cleanupCron(JdbcStoreProperties properties) {
        String cron = properties.getCleanupCron();
        if (!cron.equals(ScheduledTaskRegistrar.CRON_DISABLED) && !CronExpression.isValidExpression(cron)) {
            throw invalid(
                    "cleanup-cron",
                    cron,
                    "It must be six fields, second, minute, hour, day of month, month and day of week, such as"
                            + " '0 */10 * * * *', or '-' for no cleanup.");
        }
        return cron;
    }

    private String dataSources() {
        return Arrays.toString(beans.getBeanNamesForType(DataSource.class));
    }

    private static InvalidConfigurationPropertyValueException invalidDataSource(@Nullable String value, String reason) {
        return invalid("data-source", value, reason);
    }

    private static InvalidConfigurationPropertyValueException invalid(
            String name, @Nullable Object value, @Nullable String reason) {
        return new InvalidConfigurationPropertyValueException("idempotency.jdbc." + name, value, reason);
    }
}
