package dev.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.idempotency.Idempotent;
import dev.idempotency.Outcome;
import dev.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import dev.idempotency.test.RecordingListener;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Table;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.session.SqlSessionFactory;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.mybatis.spring.SqlSessionFactoryBean;
import org.mybatis.spring.SqlSessionTemplate;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** O04, O06, O18: what handlers do through JPA and MyBatis is in the transaction of the mark, which is there first. */
@Timeout(120)
@ParameterizedClass
@EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
class HandlersOfOrmsTests {

    private final EachDatabase each;
    private final TestDatabase database;
    private final JdbcTemplate jdbc;
    private final String run = UUID.randomUUID().toString();
    private final RecordingListener told = new RecordingListener();
    private final ApplicationContextRunner application;

    HandlersOfOrmsTests(EachDatabase each) {
        this.each = each;
        this.database = each.database();
        this.jdbc = new JdbcTemplate(database.dataSource());
        this.application = new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(AopAutoConfiguration.class, IdempotencyAutoConfiguration.class))
                .withPropertyValues("idempotency.in-flight-wait=0")
                .withBean("dataSource", DataSource.class, database::dataSource, bean -> bean.setDestroyMethodName(""))
                .withBean(RecordingListener.class, () -> told);
    }

    private ApplicationContextRunner jpa() {
        return application.withUserConfiguration(Jpa.class).withBean(JpaHandler.class);
    }

    private ApplicationContextRunner myBatis() {
        return application.withUserConfiguration(MyBatis.class).withBean(MyBatisHandler.class);
    }

    @BeforeEach
    void createTable() {
        jdbc.execute("create table if not exists orm_charge (id varchar(100) primary key)");
    }

    @Test
    void commitsWhatIsDoneThroughJpaWithTheMarkOrNeither() {
        jpa().run(context -> assertOneTransaction(context.getBean(JpaHandler.class)::on));
    }

    @Test
    void commitsWhatIsDoneThroughMyBatisWithTheMarkOrNeither() {
        myBatis().run(context -> assertOneTransaction(context.getBean(MyBatisHandler.class)::on));
    }

    private void assertOneTransaction(BiConsumer<String, Consumer<String>> handler) {
        IllegalStateException failure = new IllegalStateException("after the flush");
        assertThat(catchThrowable(() -> handler.accept(run, id -> {
                    throw failure;
                })))
                .isSameAs(failure);
        assertThat(charges()).isEmpty();
        assertThat(marks()).isZero();

        // the mark was made before the handler's body, in its transaction, which no other sees into yet
        handler.accept(run, id -> assertThat(marks()).isOne());
        handler.accept(run, id -> {
            throw failure;
        });

        assertThat(charges()).containsExactly(run);
        assertThat(marks()).isOne();
        assertThat(told.outcomes()).containsExactly(Outcome.FAILED, Outcome.PROCESSED, Outcome.DUPLICATE);
    }

    // The statement is sent with the commit only.
    @Test
    void leavesNoMarkWhereTheFlushAtTheCommitFails() {
        jdbc.update("insert into orm_charge values (?)", run);
        jpa().run(context -> {
            JpaHandler handler = context.getBean(JpaHandler.class);
            assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> handler.later(run));
            assertThat(marks()).isZero();

            jdbc.update("delete from orm_charge where id = ?", run);
            handler.later(run);
            assertThat(charges()).containsExactly(run);
            assertThat(marks()).isOne();
            assertThat(told.outcomes()).containsExactly(Outcome.FAILED, Outcome.PROCESSED);
        });
    }

    // O18: of two that could not have been one after the other, the database lets one go on
    @Test
    void handlesAgainWhatWasNotSerializable() {
        assumeThat(each).isEqualTo(EachDatabase.POSTGRESQL);
        jpa().run(context -> {
            JpaHandler handler = context.getBean(JpaHandler.class);
            CyclicBarrier bothHaveRead = new CyclicBarrier(2);
            ExecutorService threads = Executors.newFixedThreadPool(2);
            try {
                List<Future<@Nullable Throwable>> both = Stream.of("-a", "-b")
                        .map(suffix -> threads.submit(() ->
                                catchThrowable(() -> handler.serializable(run + suffix, run, bothHaveRead::await))))
                        .toList();
                long failed = 0;
                for (Future<@Nullable Throwable> one : both) {
                    failed += one.get() != null ? 1 : 0;
                }
                assertThat(failed).isOne();
            } finally {
                threads.shutdownNow();
            }
            assertThat(charges()).hasSize(1);
            assertThat(marks()).isOne();

            handler.serializable(run + "-a", run, () -> {});
            handler.serializable(run + "-b", run, () -> {});
            assertThat(charges()).hasSize(2);
            assertThat(told.outcomes())
                    .containsExactlyInAnyOrder(Outcome.PROCESSED, Outcome.FAILED, Outcome.PROCESSED, Outcome.DUPLICATE);
        });
    }

    @Test
    void beginsWithTheSettingsThatTheMethodDeclares() {
        jpa().run(context -> {
            Map<String, Object> settings = context.getBean(JpaHandler.class).settings(run);
            assertThat(settings)
                    .containsEntry("isolation", Connection.TRANSACTION_SERIALIZABLE)
                    .extractingByKey("seconds")
                    .asInstanceOf(InstanceOfAssertFactories.INTEGER)
                    .isBetween(60, 77);
        });
    }

    private List<String> charges() {
        return jdbc.queryForList("select id from orm_charge where id like ?", String.class, run + "%");
    }

    private int marks() {
        return jdbc.queryForList(
                        "select status from idempotency_message where message_id like ?",
                        String.class,
                        each == EachDatabase.H2 || each == EachDatabase.MARIADB
                                ? (run + "%").getBytes(StandardCharsets.UTF_8)
                                : run + "%")
                .size();
    }

    @Entity(name = "Charge")
    @Table(name = "orm_charge")
    static class Charge {

        @Id
        private String id = "";

        Charge() {}

        Charge(String id) {
            this.id = id;
        }

        String id() {
            return id;
        }
    }

    interface Wait {
        void await() throws Exception;
    }

    static class JpaHandler {

        @PersistenceContext
        private EntityManager entities;

        private final DataSource dataSource;

        JpaHandler(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        @Idempotent(consumer = "jpa", messageId = "#id")
        @Transactional
        public void on(String id, Consumer<String> then) {
            entities.persist(new Charge(id));
            entities.flush();
            then.accept(id);
        }

        @Idempotent(consumer = "later", messageId = "#id")
        @Transactional
        public void later(String id) {
            entities.persist(new Charge(id));
        }

        @Idempotent(consumer = "serializable", messageId = "#id")
        @Transactional(isolation = Isolation.SERIALIZABLE)
        public void serializable(String id, String prefix, Wait wait) throws Exception {
            entities.createQuery("select count(c) from Charge c where c.id like :prefix", Long.class)
                    .setParameter("prefix", prefix + "%")
                    .getSingleResult();
            wait.await();
            entities.persist(new Charge(id));
        }

        @Idempotent(consumer = "settings", messageId = "#id")
        @Transactional(isolation = Isolation.SERIALIZABLE, timeout = 77)
        public Map<String, Object> settings(String id) {
            ConnectionHolder holder = (ConnectionHolder)
                    Objects.requireNonNull(TransactionSynchronizationManager.getResource(dataSource));
            Integer isolation = new JdbcTemplate(dataSource)
                    .execute((Connection connection) -> connection.getTransactionIsolation());
            return Map.of("isolation", isolation, "seconds", holder.getTimeToLiveInSeconds());
        }
    }

    interface ChargeMapper {

        @Insert("insert into orm_charge values (#{id})")
        void insert(String id);
    }

    static class MyBatisHandler {

        private final ChargeMapper charges;

        MyBatisHandler(SqlSessionTemplate sessions) {
            this.charges = sessions.getMapper(ChargeMapper.class);
        }

        @Idempotent(consumer = "mybatis", messageId = "#id")
        @Transactional
        public void on(String id, Consumer<String> then) {
            charges.insert(id);
            then.accept(id);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Store {

        @Bean
        JdbcIdempotencyStore store(DataSource dataSource, PlatformTransactionManager manager) {
            return new JdbcIdempotencyStore(
                    dataSource,
                    manager,
                    JdbcIdempotencyStore.DEFAULT_TABLE,
                    "orm-" + UUID.randomUUID(),
                    Duration.ofHours(1));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Jpa extends Store {

        @Bean
        LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource dataSource) {
            LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(dataSource);
            factory.setManagedTypes(PersistenceManagedTypes.of(Charge.class.getName()));
            factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            return factory;
        }

        @Bean
        JpaTransactionManager transactionManager(EntityManagerFactory factory) {
            return new JpaTransactionManager(factory);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class MyBatis extends Store {

        @Bean
        JdbcTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        SqlSessionTemplate sessions(DataSource dataSource) throws Exception {
            SqlSessionFactoryBean factory = new SqlSessionFactoryBean();
            factory.setDataSource(dataSource);
            SqlSessionFactory made = Objects.requireNonNull(factory.getObject());
            made.getConfiguration().addMapper(ChargeMapper.class);
            return new SqlSessionTemplate(made);
        }
    }
}
