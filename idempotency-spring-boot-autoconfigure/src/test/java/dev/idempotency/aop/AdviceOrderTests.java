package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.Idempotent;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.fixture.Database;
import dev.idempotency.fixture.RecordingOutcomes;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.Advised;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Kind K10: outside of transactions, inside of retry, by default (O03, O07, O09). */
class AdviceOrderTests {

    private static final MessageKey KEY = MessageKey.of("Handler.on", "1");

    private final ApplicationContextRunner application =
            application().withUserConfiguration(Database.class, Retrying.class).withBean(Handler.class);

    @Test
    void standsInsideRetryAndOutsideTransaction() {
        application.run(context -> {
            List<String> advice = Arrays.stream(((Advised) context.getBean(Handler.class)).getAdvisors())
                    .map(advisor -> advisor instanceof IdempotentAdvisor
                            ? "guard"
                            : advisor.getAdvice().getClass().getSimpleName())
                    .toList();
            assertThat(advice).containsExactly("RetryAnnotationInterceptor", "guard", "TransactionInterceptor");
        });
    }

    @Test
    void marksAfterTheCommit() {
        application.run(context -> {
            Handler handler = context.getBean(Handler.class);
            IdempotencyStore store = context.getBean(IdempotencyStore.class);
            handler.inTransaction(() ->
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public void afterCommit() {
                            assertThat(store.seen(KEY)).isFalse();
                            handler.effect();
                        }
                    }));
            handler.on(message("1"));
            assertThat(store.seen(KEY)).isTrue();
            assertThat(handler.effects()).isEqualTo(1);
        });
    }

    @Test
    void leavesNoMarkWhenTheCommitFails() {
        application.run(context -> {
            Handler handler = context.getBean(Handler.class);
            handler.inTransaction(
                    () -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public void beforeCommit(boolean readOnly) {
                            throw new UnsupportedOperationException("commit");
                        }
                    }));
            assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> handler.on(message("1")));
            assertThat(context.getBean(IdempotencyStore.class).seen(KEY)).isFalse();
            assertThat(context.getBean(RecordingOutcomes.class).outcomes()).containsExactly(Outcome.FAILED);
        });
    }

    @Test
    void retriesInFreshTransactionUnderFreshClaim() {
        application.run(context -> {
            Handler handler = context.getBean(Handler.class);
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            int[] attempts = {0};
            handler.inTransaction(() -> {
                jdbc.update("insert into effect values ('one')");
                if (attempts[0]++ == 0) {
                    throw new IllegalStateException("first attempt");
                }
            });
            handler.on(message("1"));
            assertThat(attempts).containsExactly(2);
            assertThat(Database.effects(jdbc)).isEqualTo(1);
            assertThat(context.getBean(IdempotencyStore.class).seen(KEY)).isTrue();
            assertThat(context.getBean(RecordingOutcomes.class).outcomes())
                    .containsExactly(Outcome.FAILED, Outcome.PROCESSED);
        });
    }

    @Test
    void followsCommitOfTransactionPutOutsideByOrder() {
        application.withPropertyValues("idempotency.order=2147483647").run(context -> {
            Handler handler = context.getBean(Handler.class);
            IdempotencyStore store = context.getBean(IdempotencyStore.class);
            handler.inTransaction(() -> {});
            handler.on(message("1"));
            assertThat(store.seen(KEY)).isTrue();
        });
    }

    @Test
    void standsWhereTheOrderIsSet() {
        application
                .withPropertyValues("idempotency.order=42")
                .run(context -> assertThat(
                                context.getBean(IdempotentAdvisor.class).getOrder())
                        .isEqualTo(42));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods
    static class Retrying {}

    static class Handler {

        private Runnable work = () -> {};
        private int effects;

        void inTransaction(Runnable runnable) {
            this.work = runnable;
        }

        void effect() {
            effects++;
        }

        int effects() {
            return effects;
        }

        @Retryable(includes = IllegalStateException.class, maxRetries = 2, delay = 1)
        @Idempotent
        @Transactional
        public void on(Map<String, Object> message) {
            work.run();
        }
    }
}
