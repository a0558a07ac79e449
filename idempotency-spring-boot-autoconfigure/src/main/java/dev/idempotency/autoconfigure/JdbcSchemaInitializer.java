package dev.idempotency.autoconfigure;

import dev.idempotency.store.jdbc.TableName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.jdbc.init.PropertiesBasedDataSourceScriptDatabaseInitializer;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

/** Makes the table of the store, under the name that it shall have. */
final class JdbcSchemaInitializer extends PropertiesBasedDataSourceScriptDatabaseInitializer<JdbcStoreProperties> {

    private final TableName table;

    private JdbcSchemaInitializer(DataSource dataSource, JdbcStoreProperties properties, TableName table) {
        super(dataSource, properties);
        this.table = table;
    }

    static JdbcSchemaInitializer of(StoreDatabase database, JdbcStoreProperties properties) {
        DataSource dataSource = database.dataSource();
        try {
            return new JdbcSchemaInitializer(dataSource, properties, database.table());
        } catch (IllegalStateException ex) {
            if (ex.getCause() != null) {
                throw ex;
            }
            // A database did answer.
            throw new InvalidConfigurationPropertyValueException(
                    "idempotency.jdbc.platform",
                    properties.getPlatform(),
                    "No script is known for the product that the database says it is. If it speaks like one of"
                            + " postgresql, mariadb, mysql and h2, name that; else set 'idempotency.jdbc.schema' to a"
                            + " script of yours, or 'idempotency.jdbc.initialize-schema' to 'never'.");
        }
    }

    @Override
    protected void runScripts(Scripts scripts) {
        Charset encoding = Objects.requireNonNullElse(scripts.getEncoding(), StandardCharsets.UTF_8);
        List<Resource> renamed = new ArrayList<>();
        scripts.forEach(script -> renamed.add(new ByteArrayResource(
                table.in(content(script, encoding)).getBytes(encoding), script.getDescription())));
        super.runScripts(new Scripts(renamed)
                .continueOnError(scripts.isContinueOnError())
                .separator(scripts.getSeparator())
                .encoding(encoding));
    }

    private static String content(Resource script, Charset encoding) {
        try {
            return script.getContentAsString(encoding);
        } catch (IOException ex) {
            throw new UncheckedIOException("Schema script cannot be read: " + script, ex);
        }
    }
}
