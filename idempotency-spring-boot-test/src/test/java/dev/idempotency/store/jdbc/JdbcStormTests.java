package dev.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Execution;
import dev.idempotency.IdempotencyMode;
import dev.idempotency.MessageInFlightException;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.StoreOperation;
import dev.idempotency.core.IdempotencyTemplate;
import dev.idempotency.test.RecordingListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Many threads over a real database, each of which delivers again what has failed or was deferred: every message takes
 * effect once, and a race that is lost is nothing else than a copy in flight. K1, K3, O06, O14, O18, O20
 */
@Timeout(300)
class JdbcStormTests {

    private static final IllegalStateException FAILURE = new IllegalStateException("at first");

    private final RecordingListener told = new RecordingListener();
    private final Set<String> failed = ConcurrentHashMap.newKeySet();
    private final String run = UUID.randomUUID().toString();

    @ParameterizedTest
    @EnumSource
    void handlesOnceWhatEightThreadsBringAtOnce(EachDatabase each) throws Exception {
        int threads = 8;
        List<String> ids = ids(100);
        Deliveries deliveries = new Deliveries(each.database());
        CyclicBarrier together = new CyclicBarrier(threads);

        List<Integer> processed = inThreads(threads, thread -> () -> {
            int own = 0;
            for (String id : ids) {
                together.await();
                own += deliveries.untilSettled(id, id.hashCode() % 2 == 0) == Outcome.PROCESSED ? 1 : 0;
            }
            return own;
        });

        assertThat(failed).hasSizeBetween(20, 80);
        assertThat(processed.stream().mapToInt(Integer::intValue).sum()).isEqualTo(ids.size());
        assertThat(deliveries.effects()).containsExactlyInAnyOrderElementsOf(ids);
        assertNoneWasTakenForAFailureOfTheStore();
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    // O19: different keys whose rows lie side by side
    void handlesOnceWhatHasNothingToDoWithOneAnother(EachDatabase each) throws Exception {
        int threads = 20;
        List<String> ids = ids(5000);
        Deliveries deliveries = new Deliveries(each.database());

        inThreads(threads, thread -> () -> {
            for (int i = thread; i < ids.size(); i += threads) {
                assertThat(deliveries.untilSettled(ids.get(i), false)).isEqualTo(Outcome.PROCESSED);
            }
            return null;
        });

        assertThat(deliveries.effects()).containsExactlyInAnyOrderElementsOf(ids);
        assertNoneWasTakenForAFailureOfTheStore();
    }

    private List<String> ids(int count) {
        return IntStream.range(0, count).mapToObj(i -> run + "-" + i).toList();
    }

    private void assertNoneWasTakenForAFailureOfTheStore() {
        assertThat(told.operations())
                .isNotEmpty()
                .extracting(StoreOperation::result)
                .doesNotContain("error");
    }

    private static <T> List<T> inThreads(int count, IntFunction<Callable<T>> task) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                futures.add(threads.submit(task.apply(i)));
            }
            List<T> answers = new ArrayList<>();
            for (Future<T> future : futures) {
                answers.add(future.get());
            }
            return answers;
        } finally {
            threads.shutdownNow();
        }
    }

    /** A handler that writes into the same database, and a broker that gives back what was not handled. */
    private final class Deliveries {

        private final JdbcTemplate jdbc;
        private final IdempotencyTemplate template;

        Deliveries(TestDatabase database) {
            jdbc = new JdbcTemplate(database.dataSource());
            jdbc.execute("create table if not exists storm_effect (id varchar(100) not null)");
            template = IdempotencyTemplate.builder(database.store("storm-" + run, Duration.ofHours(1)))
                    .mode(IdempotencyMode.TRANSACTIONAL)
                    .inFlightWait(Duration.ZERO)
                    .listener(told)
                    .build();
        }

        Outcome untilSettled(String id, boolean failing) throws Exception {
            MessageKey key = MessageKey.of("orders", id);
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    Execution<Void> execution = template.execute(key, () -> {
                        jdbc.update("insert into storm_effect values (?)", id);
                        if (failing && failed.add(id)) {
                            throw FAILURE;
                        }
                        return null;
                    });
                    return execution.outcome();
                } catch (MessageInFlightException | ConcurrencyFailureException ex) {
                    // comes again: another is at it, or its transaction was lost to another one
                } catch (Throwable ex) {
                    if (ex != FAILURE) {
                        throw new IllegalStateException(ex);
                    }
                }
            }
            throw new InterruptedException();
        }

        List<String> effects() {
            return jdbc.queryForList("select id from storm_effect where id like ?", String.class, run + "-%");
        }
    }
}
