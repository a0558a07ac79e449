package dev.idempotency.store.jdbc;

import dev.idempotency.store.jdbc.TestDatabase.Isolation;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Which server of a product. */
enum DatabaseServer {
    /** One that the build brings. */
    BUNDLED,
    /** One that is there already, else its tests are skipped. */
    INSTALLED;

    static final String MYSQL = "IDEMPOTENCY_TEST_MYSQL_URL";

    static Stream<Arguments> all() {
        return Arrays.stream(values())
                .flatMap(server -> Arrays.stream(Isolation.values()).map(isolation -> Arguments.of(server, isolation)));
    }

    /** Returns a MariaDB in the place of a MySQL, and a MySQL if there is one. */
    static Stream<Arguments> mySql() {
        return all().filter(each -> each.get()[0] == BUNDLED || System.getenv(MYSQL) != null);
    }

    /** Returns where an installed server is: at the variable's address, or else at the usual one. */
    static String installedUrl(String variable, String usual) {
        String asked = System.getenv(variable);
        return asked != null ? asked : usual;
    }
}
