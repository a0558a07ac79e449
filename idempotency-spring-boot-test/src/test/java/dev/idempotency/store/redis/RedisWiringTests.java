package dev.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Claim;
import dev.idempotency.IdempotencyStore;
import dev.idempotency.Idempotent;
import dev.idempotency.MessageKey;
import dev.idempotency.MessageState;
import dev.idempotency.Outcome;
import dev.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import dev.idempotency.test.RecordingListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import redis.embedded.RedisServer;

/** K4, K14: the store in Redis by properties alone (O36, O76, O81). */
class RedisWiringTests {

    private final String namespace = "test-" + UUID.randomUUID();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class, DataRedisAutoConfiguration.class, IdempotencyAutoConfiguration.class))
            .withPropertyValues(
                    "idempotency.store=redis",
                    "spring.data.redis.port=" + RedisServers.standalone().getPort(),
                    "spring.application.name=" + namespace)
            .withBean(RecordingListener.class)
            .withBean(Payments.class);

    @Test
    void sharesMarksBetweenProcessesOfOneApplication() {
        application.run(first -> {
            assertThat(first).getBean(IdempotencyStore.class).isInstanceOf(RedisIdempotencyStore.class);
            deliver(first);
            application.run(second -> {
                deliver(second);
                assertThat(outcome(first)).isEqualTo(Outcome.PROCESSED);
                assertThat(outcome(second)).isEqualTo(Outcome.DUPLICATE);
            });
        });
    }

    @Test
    void keepsApplicationsApartByTheirNamespace() {
        application.run(RedisWiringTests::deliver);
        application
                .withPropertyValues("idempotency.namespace=" + namespace + ":other")
                .run(context -> {
                    deliver(context);
                    assertThat(outcome(context)).isEqualTo(Outcome.PROCESSED);
                });
    }

    // O81: also where the time is below a second
    @Test
    void keepsReadableKeysThatAllExpire() {
        application
                .withPropertyValues(
                        "idempotency.namespace=" + namespace + ":{x}%",
                        "idempotency.retention=1500ms",
                        "idempotency.lease=500ms")
                .run(context -> {
                    deliver(context);
                    StringRedisTemplate redis = context.getBean(StringRedisTemplate.class);
                    String key = "idempotency:" + namespace + "%3A%7Bx}%25:payments:A:ü";
                    assertThat(redis.keys("idempotency:" + namespace + "*")).isEqualTo(Set.of(key));
                    assertThat(redis.opsForValue().get(key)).startsWith("seen ");
                    assertThat(redis.getExpire(key, TimeUnit.MILLISECONDS)).isBetween(1L, 1500L);
                });
    }

    @Test
    void ignoresTemplatesOfTheApplication() {
        application.withUserConfiguration(OddTemplates.class).run(context -> {
            deliver(context);
            deliver(context);
            assertThat(outcome(context)).isEqualTo(Outcome.DUPLICATE);
        });
    }

    @Test
    void asksForTheConnectionFactoryWhereThereAreSeveral() {
        application
                .withUserConfiguration(TwoServers.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                        .hasMessageContaining("idempotency.redis.connection-factory")
                        .hasMessageContaining("Set it to one of [one, other]"));
        application
                .withUserConfiguration(TwoServers.class)
                .withPropertyValues("idempotency.redis.connection-factory=one")
                .run(context -> {
                    deliver(context);
                    assertThat(context.getBean("one", RedisConnectionFactory.class)
                                    .getConnection()
                                    .keyCommands()
                                    .exists(("idempotency:" + namespace + ":payments:A:ü")
                                            .getBytes(StandardCharsets.UTF_8)))
                            .isTrue();
                });
        application
                .withPropertyValues("idempotency.redis.connection-factory=wrong")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("There is no such connection factory, only [redisConnectionFactory]"));
    }

    @Test
    void refusesASharedStoreWithoutANamespace() {
        application
                .withPropertyValues("spring.application.name=")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                        .hasMessageContaining("idempotency.namespace")
                        .hasMessageContaining("Set it, or 'spring.application.name'"));
    }

    @Test
    void recognisesACommandThatIsSentAgain() {
        RedisIdempotencyStore store =
                new RedisIdempotencyStore(RedisServers.standalone(), "idempotency:", namespace, Duration.ofMinutes(1));
        MessageKey key = MessageKey.of("payments", "A");
        store.claim(key, "owner", Duration.ofSeconds(30));
        assertThat(store.complete(key, "owner")).isTrue();
        assertThat(store.complete(key, "owner")).isTrue();
        assertThat(store.complete(key, "another")).isFalse();
    }

    // else the claim would be queued behind what the application sends, and answered after its commit
    @Test
    void isNoPartOfTransactionsThatTheApplicationHasOnRedis() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setUrl("jdbc:h2:mem:");
        application.run(context -> {
            StringRedisTemplate template = new StringRedisTemplate(context.getBean(RedisConnectionFactory.class));
            template.setEnableTransactionSupport(true);
            MessageKey key = MessageKey.of("payments", "A");
            new TransactionTemplate(new DataSourceTransactionManager(dataSource)).executeWithoutResult(status -> {
                template.opsForValue().set("application:" + namespace, "value", Duration.ofMinutes(1));
                assertThat(context.getBean(RedisIdempotencyStore.class).claim(key, "owner", Duration.ofMinutes(1)))
                        .isEqualTo(Claim.ACQUIRED);
                status.setRollbackOnly();
            });
            assertThat(context.getBean(RedisIdempotencyStore.class).claim(key, "another", Duration.ofMinutes(1)))
                    .isEqualTo(Claim.HELD);
        });
    }

    // the documentation names them
    @Test
    void needsNoMoreRightsThanThoseOfItsCommands() throws IOException {
        RedisServer server =
                RedisServers.start("user shop on >secret ~idempotency:* +eval +evalsha +get +set +del +time");
        try {
            application
                    .withPropertyValues(
                            "spring.data.redis.port=" + server.ports().get(0),
                            "spring.data.redis.username=shop",
                            "spring.data.redis.password=secret")
                    .run(context -> {
                        deliver(context);
                        deliver(context);
                        assertThat(outcome(context)).isEqualTo(Outcome.DUPLICATE);
                        RedisIdempotencyStore store = context.getBean(RedisIdempotencyStore.class);
                        MessageKey key = MessageKey.of("payments", "B");
                        store.claim(key, "owner", Duration.ofSeconds(30));
                        assertThat(store.renewAll(Map.of(key, "owner"), Duration.ofSeconds(30)))
                                .containsExactly(key);
                        assertThat(store.state(key).status()).isEqualTo(MessageState.Status.IN_FLIGHT);
                        store.release(key, "owner");
                        assertThat(store.seenAmong(Set.of(key))).isEmpty();
                        store.forget(key);
                    });
        } finally {
            RedisServers.stop(server);
        }
    }

    private static void deliver(AssertableApplicationContext context) {
        context.getBean(Payments.class).on(Map.of("meta", Map.of("id", "A:ü")));
    }

    private static Outcome outcome(AssertableApplicationContext context) {
        var outcomes = context.getBean(RecordingListener.class).outcomes();
        return outcomes.get(outcomes.size() - 1);
    }

    static class Payments {
        @Idempotent(consumer = "payments")
        public void on(Map<String, Object> message) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class OddTemplates {

        @Bean
        RedisTemplate<Object, Object> redisTemplate(RedisConnectionFactory connections) {
            RedisTemplate<Object, Object> template = new RedisTemplate<>();
            template.setConnectionFactory(connections);
            template.setDefaultSerializer(RedisSerializer.java());
            return template;
        }

        @Bean
        StringRedisTemplate stringRedisTemplate(RedisConnectionFactory connections) {
            StringRedisTemplate template = new StringRedisTemplate(connections);
            template.setKeySerializer(RedisSerializer.java());
            template.setValueSerializer(RedisSerializer.java());
            return template;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoServers {

        @Bean
        RedisConnectionFactory one() {
            return RedisServers.connect("127.0.0.1", RedisServers.standalone().getPort());
        }

        @Bean
        RedisConnectionFactory other() {
            return RedisServers.connect("127.0.0.1", 1);
        }
    }
}
