package dev.idempotency.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.Idempotent;
import dev.idempotency.Outcome;
import dev.idempotency.store.redis.FailingRedis;
import dev.idempotency.store.redis.FailingRedis.Outage;
import dev.idempotency.test.RecordingListener;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jms.annotation.JmsListener;

/** K12: an outage of Redis, from the broker's side: no message is lost, none has two effects, no consumer stops. O70 */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisOutageScenarioTests {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private static Path directory;

    private FailingRedis redis;
    private Broker broker;

    @BeforeAll
    void start() throws IOException {
        redis = FailingRedis.start(directory);
        broker = Broker.start(
                App.class,
                "idempotency.store=redis",
                "idempotency.namespace=outage",
                "spring.data.redis.port=" + redis.port(),
                "spring.data.redis.timeout=1s",
                "spring.data.redis.connect-timeout=1s");
    }

    @AfterAll
    void stop() {
        broker.close();
        redis.close();
    }

    @ParameterizedTest
    @EnumSource
    void handlesAfterwardsWhatCameMeanwhile(Outage outage) throws Exception {
        String prefix = "before-" + outage + "-";
        RecordingListener guarding = broker.bean(RecordingListener.class);
        guarding.clear();
        redis.begin(outage);

        messages(prefix).forEach(this::send);
        await().atMost(PATIENCE).until(() -> guarding.outcomes().contains(Outcome.DEFERRED));
        assertThat(effects(prefix)).isEmpty();
        redis.end(outage);

        await().atMost(PATIENCE).until(() -> broker.depth("orders") == 0);
        assertThat(effects(prefix))
                .containsExactlyInAnyOrderElementsOf(messages(prefix).toList());
        assertThat(broker.deadLetters()).isZero();
        assertSkipped(prefix);
    }

    @ParameterizedTest
    @EnumSource
    void settlesWhatWasInWorkAndMarksItAfterwards(Outage outage) throws Exception {
        String prefix = "within-" + outage + "-";
        RecordingListener guarding = broker.bean(RecordingListener.class);
        guarding.clear();
        Handlers.holdBack();

        messages(prefix).forEach(this::send);
        await().atMost(PATIENCE).until(() -> effects(prefix).count() == 3);
        redis.begin(outage);
        Handlers.letGo();
        await().atMost(PATIENCE).until(() -> guarding.outcomes().size() == 3);
        assertThat(guarding.outcomes()).containsOnly(Outcome.UNMARKED);
        await().atMost(PATIENCE).until(() -> broker.depth("orders") == 0);
        redis.end(outage);

        assertSkipped(prefix);
    }

    /** Whatever became of the first ones, copies have no effect. */
    private void assertSkipped(String prefix) {
        RecordingListener guarding = broker.bean(RecordingListener.class);
        messages(prefix).forEach(this::send);
        messages(prefix)
                .forEach(id -> await().atMost(PATIENCE)
                        .until(() -> guarding.outcomes("orders", id).contains(Outcome.DUPLICATE)));
        await().atMost(PATIENCE).until(() -> broker.depth("orders") == 0);
        assertThat(effects(prefix)).hasSize(3);
        assertThat(broker.deadLetters()).isZero();
    }

    private static Stream<String> messages(String prefix) {
        return IntStream.range(0, 3).mapToObj(i -> prefix + i);
    }

    private void send(String id) {
        broker.sendText("orders", Envelopes.withId(id));
    }

    private Stream<String> effects(String prefix) {
        return broker.bean(Effects.class).all().stream().filter(effect -> effect.startsWith(prefix));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Effects.class, Handlers.class, RecordingListener.class, OrderCreated.Converter.class})
    static class App {}

    static class Handlers {

        private static volatile CountDownLatch gate = new CountDownLatch(0);
        private final Effects effects;

        Handlers(Effects effects) {
            this.effects = effects;
        }

        static void holdBack() {
            gate = new CountDownLatch(1);
        }

        static void letGo() {
            gate.countDown();
        }

        @JmsListener(destination = "orders", concurrency = "3")
        @Idempotent(consumer = "orders")
        void on(OrderCreated order) throws InterruptedException {
            effects.add(order.order());
            gate.await();
        }
    }
}
