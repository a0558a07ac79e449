package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.fixture.Database;
import dev.idempotency.fixture.H2Store;
import dev.idempotency.fixture.RecordingOutcomes;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.framework.Advised;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ReflectionUtils;

/**
 * Kind K10: retry, guard, transaction, from the outside in, whatever the order of the annotations and of what enables
 * them (O03, O07); by the advisors, and by what is there after commit, roll-back and retry.
 */
class OrderMatrixTests {

    private static final List<String> METHODS = List.of("itr", "irt", "tir", "tri", "rit", "rti");
    private static final String RETRY = "RetryAnnotationInterceptor";
    private static final String TRANSACTION = "TransactionInterceptor";

    static Stream<Arguments> orders() {
        return METHODS.stream()
                .flatMap(method -> Stream.of(true, false)
                        .flatMap(retryFirst -> Stream.of(true, false)
                                .map(transactional -> Arguments.of(method, retryFirst, transactional))));
    }

    static Stream<Arguments> orInATransaction() {
        return METHODS.stream()
                .flatMap(method -> Stream.of(true, false).map(transactional -> Arguments.of(method, transactional)));
    }

    private static ApplicationContextRunner configured(boolean retryFirst, boolean transactional) {
        ApplicationContextRunner runner = retryFirst
                ? application().withUserConfiguration(Retrying.class, Database.class)
                : application().withUserConfiguration(Database.class, Retrying.class);
        runner = runner.withBean(OrderHandlers.class);
        return transactional ? runner.withBean(H2Store.class) : runner;
    }

    @ParameterizedTest
    @MethodSource("orders")
    void commitsEffectAndMark(String method, boolean retryFirst, boolean transactional) {
        configured(retryFirst, transactional).run(context -> {
            assertThat(advice(context, OrderHandlers.class)).containsExactly(RETRY, "guard", TRANSACTION);
            Trial trial = new Trial(context, method);
            trial.succeeds();

            trial.deliver();
            trial.deliver();

            assertThat(trial.effects()).isOne();
            assertThat(trial.isMarked()).isTrue();
            assertThat(trial.outcomes()).containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE);
        });
    }

    @ParameterizedTest
    @MethodSource("orders")
    void retriesInATransactionAndUnderAClaimOfItsOwn(String method, boolean retryFirst, boolean transactional) {
        configured(retryFirst, transactional).run(context -> {
            Trial trial = new Trial(context, method);
            trial.failsAfterItsEffect(1);

            trial.deliver();

            assertThat(trial.transactions()).isEqualTo(2);
            assertThat(trial.effects()).isOne();
            assertThat(trial.isMarked()).isTrue();
            assertThat(trial.outcomes()).containsExactly(Outcome.FAILED, Outcome.PROCESSED);
        });
    }

    @ParameterizedTest
    @MethodSource("orders")
    void leavesNothingWhenAllAttemptsFailAndRunsTheNextDelivery(
            String method, boolean retryFirst, boolean transactional) {
        configured(retryFirst, transactional).run(context -> {
            Trial trial = new Trial(context, method);
            trial.failsAfterItsEffect(3);

            assertThatIllegalStateException().isThrownBy(trial::deliver).withMessage("attempt 3");
            assertThat(trial.effects()).isZero();
            assertThat(trial.isMarked()).isFalse();

            trial.deliver();
            assertThat(trial.effects()).isOne();
            assertThat(trial.isMarked()).isTrue();
            assertThat(trial.outcomes())
                    .containsExactly(Outcome.FAILED, Outcome.FAILED, Outcome.FAILED, Outcome.PROCESSED);
        });
    }

    @ParameterizedTest
    @MethodSource("orders")
    void retriesWhenTheCommitFails(String method, boolean retryFirst, boolean transactional) {
        configured(retryFirst, transactional).run(context -> {
            Trial trial = new Trial(context, method);
            trial.failsAtItsCommit(1);

            trial.deliver();

            assertThat(trial.effects()).isOne();
            assertThat(trial.isMarked()).isTrue();
            assertThat(trial.outcomes()).containsExactly(Outcome.FAILED, Outcome.PROCESSED);
        });
    }

    @ParameterizedTest
    @MethodSource("orInATransaction")
    void followsTheCommitOfATransactionPutOutsideOfAllByItsOrder(String method, boolean transactional) {
        ApplicationContextRunner runner = application()
                .withUserConfiguration(TransactionsFirst.class, Retrying.class)
                .withBean(OrderHandlers.class);
        (transactional ? runner.withBean(H2Store.class) : runner).run(context -> {
            assertThat(advice(context, OrderHandlers.class)).containsExactly(RETRY, TRANSACTION, "guard");
            Trial trial = new Trial(context, method);
            trial.failsAfterItsEffect(1);
            trial.deliver();
            assertThat(trial.transactions()).isEqualTo(2);
            assertThat(trial.effects()).isOne();
            assertThat(trial.isMarked()).isTrue();
            assertThat(trial.outcomes()).containsExactly(Outcome.FAILED, Outcome.PROCESSED);
        });
    }

    // the guard is called and returns inside the transaction: only its end decides
    @ParameterizedTest
    @MethodSource("orInATransaction")
    void leavesNoMarkWhenATransactionOutsideDoesNotCommit(String method, boolean transactional) {
        ApplicationContextRunner runner =
                application().withUserConfiguration(TransactionsFirst.class).withBean(OrderHandlers.class);
        (transactional ? runner.withBean(H2Store.class) : runner).run(context -> {
            Trial trial = new Trial(context, method);
            trial.failsAtItsCommit(1);
            assertThatIllegalStateException().isThrownBy(trial::deliver).withMessage("commit 1");
            assertThat(trial.effects()).isZero();
            assertThat(trial.isMarked()).isFalse();
            trial.deliver();
            assertThat(trial.effects()).isOne();
            assertThat(trial.outcomes()).containsExactly(Outcome.FAILED, Outcome.PROCESSED);
        });
    }

    @Test
    void standsOnTheThreadOfAnAsyncMethodInsideItsRetry() {
        application()
                .withUserConfiguration(Database.class, Retrying.class, OnOtherThreads.class)
                .withBean(H2Store.class)
                .withBean(OrderHandlers.Asynchronous.class)
                .run(context -> {
                    assertThat(advice(context, OrderHandlers.Asynchronous.class))
                            .containsExactly("AnnotationAsyncExecutionInterceptor", RETRY, "guard", TRANSACTION);
                    OrderHandlers.Asynchronous handler = context.getBean(OrderHandlers.Asynchronous.class);
                    JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
                    int[] attempts = {0};
                    handler.does(() -> {
                        jdbc.update("insert into effect values ('one')");
                        if (++attempts[0] < 4) {
                            throw new IllegalStateException("attempt " + attempts[0]);
                        }
                    });

                    assertThatThrownBy(() -> handler.on(message("1")).get()).hasRootCauseMessage("attempt 3");
                    assertThat(context.getBean(H2Store.class).marks()).isZero();
                    assertThat(handler.on(message("1")).get()).isEqualTo("done");
                    assertThat(handler.on(message("1")).get()).isNull();

                    assertThat(Database.effects(jdbc)).isOne();
                    assertThat(context.getBean(H2Store.class).marks()).isOne();
                    assertThat(context.getBean(RecordingOutcomes.class).outcomes())
                            .containsExactly(
                                    Outcome.FAILED,
                                    Outcome.FAILED,
                                    Outcome.FAILED,
                                    Outcome.PROCESSED,
                                    Outcome.DUPLICATE);
                });
    }

    private static List<String> advice(AssertableApplicationContext context, Class<?> bean) {
        return Arrays.stream(((Advised) context.getBean(bean)).getAdvisors())
                .map(advisor -> advisor instanceof IdempotentAdvisor
                        ? "guard"
                        : advisor.getAdvice().getClass().getSimpleName())
                .toList();
    }

    /** Deliveries of one message to one method, with what they leave behind. */
    private static final class Trial {

        private final AssertableApplicationContext context;
        private final String method;
        private final OrderHandlers handler;
        private final JdbcTemplate jdbc;
        private final Map<Object, Boolean> transactions = new IdentityHashMap<>();
        private int attempts;

        Trial(AssertableApplicationContext context, String method) {
            this.context = context;
            this.method = method;
            this.handler = context.getBean(OrderHandlers.class);
            this.jdbc = context.getBean(JdbcTemplate.class);
        }

        void succeeds() {
            failsAfterItsEffect(0);
        }

        void failsAfterItsEffect(int times) {
            handler.does(() -> {
                takeEffect();
                if (attempts <= times) {
                    throw new IllegalStateException("attempt " + attempts);
                }
            });
        }

        void failsAtItsCommit(int times) {
            handler.does(() -> {
                takeEffect();
                String failure = attempts <= times ? "commit " + attempts : null;
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        if (failure != null) {
                            throw new IllegalStateException(failure);
                        }
                    }
                });
            });
        }

        private void takeEffect() {
            attempts++;
            jdbc.update("insert into effect values ('one')");
            transactions.put(TransactionSynchronizationManager.getResource(context.getBean(DataSource.class)), true);
        }

        void deliver() {
            ReflectionUtils.invokeMethod(
                    ReflectionUtils.findMethod(handler.getClass(), method, Map.class), handler, message("1"));
        }

        int effects() {
            return Database.effects(jdbc);
        }

        int transactions() {
            return transactions.size();
        }

        boolean isMarked() {
            return context.getBean(IdempotencyStore.class).seen(MessageKey.of("OrderHandlers." + method, "1"));
        }

        List<Outcome> outcomes() {
            return context.getBean(RecordingOutcomes.class).outcomes();
        }
    }

    @EnableResilientMethods
    static class Retrying {}

    @EnableAsync
    static class OnOtherThreads {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = 0)
    static class TransactionsFirst {

        private final Database database = new Database();

        @Bean
        DataSource dataSource() {
            return database.dataSource();
        }

        @Bean
        DataSourceTransactionManager transactionManager(DataSource dataSource) {
            return database.transactionManager(dataSource);
        }

        @Bean
        JdbcTemplate jdbcTemplate(DataSource dataSource) {
            return database.jdbcTemplate(dataSource);
        }
    }
}
