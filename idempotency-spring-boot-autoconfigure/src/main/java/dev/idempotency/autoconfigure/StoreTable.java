package dev.idempotency.autoconfigure;

import dev.idempotency.store.jdbc.JdbcIdempotencyStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.BadSqlGrammarException;

/** Looks at start-up whether the table of the store can be used, so that no message has to find out. */
final class StoreTable {

    private static final Logger log = LoggerFactory.getLogger(JdbcIdempotencyStore.class);

    private StoreTable() {}

    /** Refuses a table that is missing or another one, and a database that nothing is known of; a database that does not answer may do so later. */
    static void check(JdbcIdempotencyStore store, JdbcStoreProperties properties) {
        try {
            store.checkTable();
        } catch (BadSqlGrammarException ex) {
            throw new UnusableTableException(properties.getTableName(), ex);
        } catch (IllegalArgumentException ex) {
            throw new InvalidConfigurationPropertyValueException(
                    "idempotency.jdbc.platform", properties.getPlatform(), ex.getMessage());
        } catch (DataAccessException ex) {
            log.warn(
                    "Whether table {} of the idempotency store is there cannot be told: its database does not answer."
                            + " Until it does, messages are handled by 'idempotency.on-store-failure'.",
                    properties.getTableName(),
                    ex);
        }
    }
}
