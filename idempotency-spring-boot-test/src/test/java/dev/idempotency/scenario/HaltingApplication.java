package dev.idempotency.scenario;

import dev.idempotency.Idempotent;
import dev.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import dev.idempotency.test.H2TransactionalStore;
import dev.idempotency.test.RecordingListener;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** An application on a database in a file, whose process ends at a moment of one's choice, without any farewell. */
@Configuration(proxyBeanMethods = false)
@EnableTransactionManagement
@ImportAutoConfiguration({AopAutoConfiguration.class, IdempotencyAutoConfiguration.class})
@Import({HaltingApplication.Payments.class, RecordingListener.class})
class HaltingApplication {

    static final int HALTED = 7;

    /** Handles one message: the URL of the database, the mode, and the moment. */
    public static void main(String... arguments) {
        try (ConfigurableApplicationContext context = start(arguments[0], arguments[1], Moment.valueOf(arguments[2]))) {
            context.getBean(Payments.class).on(Map.of("meta", Map.of("id", "A")));
        }
    }

    static ConfigurableApplicationContext start(String url, String mode, Moment moment) {
        return new SpringApplicationBuilder(HaltingApplication.class)
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off", "idempotency.mode=" + mode)
                .properties(Map.of("url", url, "moment", moment.name()))
                .run();
    }

    @Bean
    DataSource dataSource(Environment environment) {
        return new DriverManagerDataSource(environment.getRequiredProperty("url"));
    }

    @Bean
    DataSourceTransactionManager transactionManager(DataSource dataSource) {
        return new DataSourceTransactionManager(dataSource);
    }

    @Bean
    JdbcTemplate jdbcTemplate(DataSource dataSource) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        jdbc.execute("create table if not exists payment (id varchar(10))");
        return jdbc;
    }

    @Bean
    H2TransactionalStore store(DataSource dataSource) {
        return new H2TransactionalStore(dataSource, "test", Duration.ofDays(1), InstantSource.system());
    }

    /** When the process ends. */
    enum Moment {
        AFTER_THE_EFFECT,
        AFTER_THE_COMMIT,
        NEVER
    }

    static class Payments {

        private final JdbcTemplate jdbc;
        private final Moment moment;

        Payments(JdbcTemplate jdbc, Environment environment) {
            this.jdbc = jdbc;
            this.moment = environment.getRequiredProperty("moment", Moment.class);
        }

        @Idempotent(consumer = "payments")
        @Transactional
        public void on(Map<String, Object> message) {
            jdbc.update("insert into payment values ('A')");
            if (moment == Moment.AFTER_THE_EFFECT) {
                Runtime.getRuntime().halt(HALTED);
            }
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    if (moment == Moment.AFTER_THE_COMMIT) {
                        Runtime.getRuntime().halt(HALTED);
                    }
                }
            });
        }
    }
}
