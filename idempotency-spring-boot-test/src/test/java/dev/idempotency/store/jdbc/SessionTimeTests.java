package dev.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.idempotency.Claim;
import dev.idempotency.MessageKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.TimeZone;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** O75: nodes in other time zones, by their session or their JVM, have the same time: the database's. */
class SessionTimeTests {

    private static final Map<EachDatabase, String> TOKYO = Map.of(
            EachDatabase.H2, "set time zone 'Asia/Tokyo'",
            EachDatabase.POSTGRESQL, "set time zone 'Asia/Tokyo'",
            EachDatabase.MARIADB, "set time_zone = '+09:00'",
            EachDatabase.MYSQL, "set time_zone = '+09:00'",
            EachDatabase.DESCRIBED, "set time_zone = '+09:00'");
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final MessageKey KEY = MessageKey.of("orders", "A");

    @ParameterizedTest
    @EnumSource
    void holdsAClaimAgainstAnotherTimeZone(EachDatabase each) {
        TestDatabase database = each.database();
        String namespace = "zones-" + UUID.randomUUID();
        JdbcIdempotencyStore here = database.store(namespace, Duration.ofHours(1));
        JdbcIdempotencyStore inTokyo =
                database.store(new InTokyo(database, TOKYO.get(each)), namespace, Duration.ofHours(1));
        TimeZone zone = TimeZone.getDefault();

        assertThat(here.claim(KEY, "here", LEASE)).isEqualTo(Claim.ACQUIRED);
        Instant begun = Objects.requireNonNull(here.state(KEY).at());
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
            assertThat(inTokyo.claim(KEY, "tokyo", LEASE)).isEqualTo(Claim.HELD);
            assertThat(inTokyo.state(KEY).at()).isEqualTo(begun);
            assertThat(inTokyo.claim(MessageKey.of("orders", "B"), "tokyo", LEASE))
                    .isEqualTo(Claim.ACQUIRED);
        } finally {
            TimeZone.setDefault(zone);
        }
        assertThat(here.claim(MessageKey.of("orders", "B"), "here", LEASE)).isEqualTo(Claim.HELD);
        assertThat(Objects.requireNonNull(
                        here.state(MessageKey.of("orders", "B")).at()))
                .isCloseTo(begun, within(20, ChronoUnit.SECONDS));
    }

    private static final class InTokyo extends DelegatingDataSource {

        private final String setting;

        InTokyo(TestDatabase database, String setting) {
            super(database.dataSource());
            this.setting = setting;
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            try (Statement statement = connection.createStatement()) {
                statement.execute(setting);
            }
            return connection;
        }
    }
}
