package dev.idempotency.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.idempotency.IdempotencyMode;
import dev.idempotency.Idempotent;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.core.IdempotencyTemplate;
import dev.idempotency.store.memory.InMemoryIdempotencyStore;
import dev.idempotency.test.RecordingListener;
import jakarta.jms.ConnectionFactory;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jms.autoconfigure.DefaultJmsListenerContainerFactoryConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;

/**
 * K14: many messages in flight on virtual threads, more than there are connections to a database (O82). Shows that none
 * of them hangs and that leases are renewed meanwhile. That no monitor is held over I/O or a handler it shows on JDK 21
 * to 23 only, where it would pin a carrier; from 24 on the rule against {@code synchronized} in the sources stands alone.
 */
@EnabledForJreRange(min = JRE.JAVA_21)
@Timeout(120)
class VirtualThreadTests {

    private static final int IDS = 200;

    @Test
    void handlesEachOfTwoHundredMessagesInFlightOnce() throws Exception {
        try (OutlivingBroker outliving = OutlivingBroker.start();
                Broker broker = Broker.start(
                        outliving,
                        ManyInFlight.class,
                        "spring.threads.virtual.enabled=true",
                        "spring.jms.listener.min-concurrency=" + 2 * IDS,
                        "spring.jms.listener.max-concurrency=" + 2 * IDS,
                        "idempotency.lease=2s")) {
            RecordingListener guarding = broker.bean(RecordingListener.class);
            Payments payments = broker.bean(Payments.class);
            sendAll(broker);
            sendAll(broker);
            // all originals are in their handlers, and all copies wait for them
            await().atMost(Duration.ofSeconds(60)).until(() -> payments.inside.getCount() == 0);
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> guarding.results("claim").size() >= 2 * IDS);

            payments.open.countDown();
            sendAll(broker);

            await().atMost(Duration.ofSeconds(60))
                    .until(() -> guarding.outcomes().size() == 3 * IDS);
            assertThat(guarding.outcomes())
                    .filteredOn(Outcome.PROCESSED::equals)
                    .hasSize(IDS);
            assertThat(guarding.outcomes())
                    .filteredOn(Outcome.DUPLICATE::equals)
                    .hasSize(2 * IDS);
            assertThat(payments.count()).isEqualTo(IDS);
            assertThat(payments.onPlatformThreads).hasValue(0);
            await().until(() -> broker.depth("orders") == 0);
            assertThat(broker.deadLetters()).isZero();
        }
    }

    private static void sendAll(Broker broker) {
        IntStream.range(0, IDS).forEach(id -> broker.sendText("orders", Envelopes.withId("id-" + id)));
    }

    @Test
    void runsOverlappingCopiesOnceAndRenewsTheirLeasesMeanwhile() throws Exception {
        RecordingListener guarding = new RecordingListener();
        IdempotencyTemplate template = IdempotencyTemplate.builder(
                        new InMemoryIdempotencyStore(Duration.ofDays(1), 10_000))
                .mode(IdempotencyMode.CLAIM)
                .lease(Duration.ofMillis(300))
                .inFlightWait(Duration.ofSeconds(60))
                .listener(guarding)
                .build();
        AtomicInteger effects = new AtomicInteger();
        List<Callable<Object>> calls = new ArrayList<>();
        for (int call = 0; call < 3 * IDS; call++) {
            MessageKey key = MessageKey.of("orders", "id-" + call % IDS);
            calls.add(() -> {
                try {
                    template.execute(key, () -> {
                        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
                        return effects.incrementAndGet();
                    });
                    // and nothing of it is left on the thread, which would take this for a part of it
                    return template.execute(key, effects::incrementAndGet);
                } catch (Throwable ex) {
                    throw new IllegalStateException(ex);
                }
            });
        }

        ExecutorService threads = virtualThreads();
        for (Future<Object> done : threads.invokeAll(calls)) {
            done.get();
        }
        threads.shutdown();

        assertThat(effects).hasValue(IDS);
        assertThat(guarding.outcomes()).filteredOn(Outcome.PROCESSED::equals).hasSize(IDS);
        assertThat(guarding.outcomes()).filteredOn(Outcome.DUPLICATE::equals).hasSize(5 * IDS);
        assertThat(guarding.results("renew")).isNotEmpty().containsOnly("done");
    }

    // compiled for a JDK that has none
    private static ExecutorService virtualThreads() throws ReflectiveOperationException {
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    private static boolean isVirtual() {
        try {
            return (boolean) Thread.class.getMethod("isVirtual").invoke(Thread.currentThread());
        } catch (ReflectiveOperationException ex) {
            throw new IllegalStateException(ex);
        }
    }

    static class Payments {

        private final CountDownLatch inside = new CountDownLatch(IDS);
        private final CountDownLatch open = new CountDownLatch(1);
        private final AtomicInteger onPlatformThreads = new AtomicInteger();
        private final JdbcTemplate jdbc;

        Payments(HikariDataSource pool) {
            this.jdbc = new JdbcTemplate(pool);
            jdbc.execute("create table payment (id varchar(20))");
        }

        void charge(String id) throws InterruptedException {
            if (!isVirtual()) {
                onPlatformThreads.incrementAndGet();
            }
            inside.countDown();
            assertThat(open.await(60, TimeUnit.SECONDS)).isTrue();
            jdbc.execute((Connection connection) -> {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                return connection.createStatement().execute("insert into payment values ('" + id + "')");
            });
        }

        int count() {
            Integer count = jdbc.queryForObject("select count(*) from payment", Integer.class);
            return count != null ? count : 0;
        }
    }

    static class Listener {

        private final Payments payments;

        Listener(Payments payments) {
            this.payments = payments;
        }

        @JmsListener(destination = "orders")
        @Idempotent(consumer = "orders")
        public void on(OrderCreated order) throws InterruptedException {
            payments.charge(order.order());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({RecordingListener.class, OrderCreated.Converter.class, Payments.class, Listener.class})
    static class ManyInFlight {

        // Boot itself leaves JMS containers on platform threads.
        @Bean
        DefaultJmsListenerContainerFactory jmsListenerContainerFactory(
                DefaultJmsListenerContainerFactoryConfigurer configurer, ConnectionFactory connectionFactory) {
            DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
            configurer.configure(factory, connectionFactory);
            factory.setTaskExecutor(new VirtualThreadTaskExecutor("orders-"));
            return factory;
        }

        @Bean
        HikariDataSource pool() {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
            pool.setMaximumPoolSize(10);
            return pool;
        }
    }
}
