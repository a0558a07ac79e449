package dev.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.idempotency.IdempotencyMode;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.core.IdempotencyTemplate;
import dev.idempotency.test.RecordingListener;
import java.time.Duration;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** K1: a claim in Redis around a transaction of a database whose commit fails. O02 */
class RedisTransactionTests {

    private static final MessageKey KEY = MessageKey.of("payments", "A");

    private final RecordingListener guarding = new RecordingListener();
    private final RedisIdempotencyStore store = new RedisIdempotencyStore(
            RedisServers.standalone(),
            RedisIdempotencyStore.DEFAULT_PREFIX,
            "test-" + UUID.randomUUID(),
            Duration.ofHours(1));
    private final IdempotencyTemplate template = IdempotencyTemplate.builder(store)
            .mode(IdempotencyMode.CLAIM)
            .listener(guarding)
            .build();
    private final JdbcDataSource dataSource = new JdbcDataSource();

    @Test
    void runsAgainAfterACommitThatFailed() {
        dataSource.setUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        jdbc.execute("create table payment (id varchar(10))");

        assertThatExceptionOfType(TransactionSystemException.class)
                .isThrownBy(() -> pay(new FailingCommits(dataSource), jdbc));
        assertThat(store.seen(KEY)).isFalse();

        pay(new DataSourceTransactionManager(dataSource), jdbc);
        pay(new DataSourceTransactionManager(dataSource), jdbc);

        assertThat(guarding.outcomes()).containsExactly(Outcome.FAILED, Outcome.PROCESSED, Outcome.DUPLICATE);
        assertThat(jdbc.queryForObject("select count(*) from payment", Integer.class))
                .isOne();
    }

    private void pay(DataSourceTransactionManager manager, JdbcTemplate jdbc) {
        new TransactionTemplate(manager).executeWithoutResult(status -> {
            try {
                template.execute(KEY, () -> jdbc.update("insert into payment values ('A')"));
            } catch (Throwable ex) {
                throw new AssertionError(ex);
            }
        });
    }

    /** As a deferred constraint does: all has gone well, until the commit. */
    private static final class FailingCommits extends DataSourceTransactionManager {

        FailingCommits(JdbcDataSource dataSource) {
            super(dataSource);
            setRollbackOnCommitFailure(true);
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            throw new TransactionSystemException("Constraint does not hold at commit");
        }
    }
}
