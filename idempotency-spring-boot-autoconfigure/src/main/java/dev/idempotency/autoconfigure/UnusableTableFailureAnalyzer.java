package dev.idempotency.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.NestedExceptionUtils;

/** Says where the script is that makes the table of the store. */
final class UnusableTableFailureAnalyzer extends AbstractFailureAnalyzer<UnusableTableException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnusableTableException cause) {
        return new FailureAnalysis(
                cause.getMessage() + ": "
                        + NestedExceptionUtils.getMostSpecificCause(cause).getMessage(),
                "Have your migration run the script for your database, on the class path at"
                        + " dev/idempotency/store/jdbc/schema-{h2,mariadb,mysql,postgresql}.sql, or set"
                        + " 'idempotency.jdbc.initialize-schema' to 'always' to have it run at each start."
                        + " If the table has another name or is in another schema, set 'idempotency.jdbc.table-name'.",
                cause);
    }
}
