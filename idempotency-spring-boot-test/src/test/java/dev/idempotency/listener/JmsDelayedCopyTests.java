package dev.idempotency.listener;

import static dev.idempotency.listener.JmsApplication.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.MessageInFlightException;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.core.MessagePostProcessor;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

/** <em>Later</em> by a delayed copy: no delivery is spent, nothing is lost, and nobody else gets the copy. */
class JmsDelayedCopyTests {

    private static final String COPY = "test.later=DELAYED_COPY";

    @ParameterizedTest
    @EnumSource(JmsMode.class)
    void deliversACopyWithoutSpendingAnAttempt(JmsMode mode) {
        try (JmsApplication application = JmsApplication.start(with(JmsMode.OwnFactory.class), mode.property(), COPY)) {
            Script.Act later = delivery -> {
                assertThat(delivery.canReturn()).isTrue();
                Script.LATER.on(delivery);
            };
            application.script().then(later, later).otherwise(Script.SKIP);

            application.send("in flight");

            await().untilAsserted(() ->
                    assertThat(application.script().deliveryCounts()).containsExactly(1, 1, 1));
            // before the end: a container that is shut down while it begins warns of that
            assertThat(application.warningTexts()).isEmpty();
            if (mode == JmsMode.DUPS_OK) {
                application.container().shutdown();
            }
            await().untilAsserted(() -> assertThat(application.depth()).isZero());
            assertThat(application.inDelivery()).isZero();
            assertThat(application.deadLetters()).isZero();
            assertThat(application.bean(JmsMode.RecordingErrorHandler.class).errors())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 300_000})
    void copiesEverythingButTheId(int length) {
        String payload = "x".repeat(length);
        try (JmsApplication application = JmsApplication.start(with(), COPY)) {
            List<Map<String, Object>> received = new CopyOnWriteArrayList<>();
            application
                    .script()
                    .then(delivery -> {
                        received.add(describe(application.script().seen().get(0).message()));
                        Script.LATER.on(delivery);
                    })
                    .otherwise(delivery -> received.add(
                            describe(application.script().seen().get(1).message())));
            JmsTemplate template = application.bean(JmsTemplate.class);
            template.setExplicitQosEnabled(true);
            template.setPriority(7);
            template.setDeliveryMode(DeliveryMode.NON_PERSISTENT);

            application.send(payload, message -> {
                message.setStringProperty("text", "ä");
                message.setIntProperty("number", 5);
                message.setBooleanProperty("flag", true);
                message.setJMSCorrelationID("correlation");
                message.setJMSType("type");
                return message;
            });

            await().untilAsserted(() -> assertThat(received).hasSize(2));
            assertThat(received.get(1)).isEqualTo(received.get(0)).containsEntry("priority", 7);
            assertThat(application.script().seen())
                    .extracting(Script.Seen::payload)
                    .containsExactly(payload, payload);
            assertThat(application.script().seen()).extracting(Script.Seen::id).doesNotHaveDuplicates();
            await().untilAsserted(() -> assertThat(application.depth()).isZero());
            assertThat(application.warningTexts()).isEmpty();
        }
    }

    @Test
    void delaysTheCopyAtTheBroker() {
        try (JmsApplication application =
                JmsApplication.start(with(), COPY, "test.later-delay=60s", "test.max-delay=60s")) {
            application.script().then(Script.LATER);

            application.send("in flight");

            await().untilAsserted(() ->
                    assertThat(application.queue("orders").getScheduledCount()).isEqualTo(1));
            await().untilAsserted(() -> assertThat(application.depth()).isEqualTo(1));
            assertThat(application.queue("orders").getScheduledMessages())
                    .singleElement()
                    .satisfies(copy -> assertThat(copy.getScheduledDeliveryTime() - System.currentTimeMillis())
                            .isBetween(50_000L, 60_000L));
            application.send("behind it");
            await().untilAsserted(() -> assertThat(application.script().seen()).hasSize(2));
        }
    }

    @Test
    void keepsTheRemainingTimeToLive() {
        try (JmsApplication application = JmsApplication.start(with(), COPY)) {
            List<Long> expirations = new CopyOnWriteArrayList<>();
            application
                    .script()
                    .then(delivery -> {
                        expirations.add(
                                application.script().seen().get(0).message().getJMSExpiration());
                        Script.LATER.on(delivery);
                    })
                    .otherwise(delivery -> expirations.add(
                            application.script().seen().get(1).message().getJMSExpiration()));
            JmsTemplate template = application.bean(JmsTemplate.class);
            template.setExplicitQosEnabled(true);
            template.setTimeToLive(60_000);

            application.send("in flight");

            await().untilAsserted(() -> assertThat(expirations).hasSize(2));
            assertThat(expirations.get(1)).isBetween(expirations.get(0) - 5000, expirations.get(0) + 5000);
        }
    }

    @Test
    void leavesAMessageThatExpiredMeanwhileToTheBroker() {
        try (JmsApplication application = JmsApplication.start(with(), COPY)) {
            application.script().then(delivery -> {
                long expiration = application.script().seen().get(0).message().getJMSExpiration();
                await().until(() -> System.currentTimeMillis() > expiration + 50);
                Script.LATER.on(delivery);
            });
            JmsTemplate template = application.bean(JmsTemplate.class);
            template.setExplicitQosEnabled(true);
            template.setTimeToLive(300);

            application.send("in flight");

            await().untilAsserted(
                            () -> assertThat(application.queue("ExpiryQueue").getMessageCount())
                                    .isEqualTo(1));
            assertThat(application.script().seen()).hasSize(1);
            assertThat(application.depth()).isZero();
        }
    }

    /** Each of these would reach others, nobody, or be lost as a copy. */
    @ParameterizedTest
    @EnumSource(Uncopyable.class)
    void rollsBackWhatMustNotBeCopied(Uncopyable kind) {
        try (JmsApplication application = JmsApplication.start(with(), COPY)) {
            application.script().then(Script.LATER);

            application.send("in flight", kind.processor);

            await().untilAsserted(() ->
                    assertThat(application.script().deliveryCounts()).containsExactly(1, 2));
            await().untilAsserted(() -> assertThat(application.depth()).isZero());
            assertThat(application.script().seen())
                    .extracting(Script.Seen::id)
                    .containsOnly(application.script().seen().get(0).id());
            assertThat(application.warningTexts()).isEmpty();
        }
    }

    @Test
    void copiesARequestThatHasACorrelationId() {
        try (JmsApplication application = JmsApplication.start(with(), COPY)) {
            application.script().then(Script.LATER);

            application.send("request", message -> {
                message.setJMSReplyTo(new ActiveMQQueue("replies"));
                message.setJMSCorrelationID("correlation");
                return message;
            });

            await().untilAsserted(() ->
                    assertThat(application.script().deliveryCounts()).containsExactly(1, 1));
        }
    }

    @Test
    void rollsBackOnTopics() {
        try (JmsApplication application =
                JmsApplication.start(with(OtherSubscriber.class), COPY, "spring.jms.pub-sub-domain=true")) {
            await().until(() -> application.bean(OtherSubscriber.class).isSubscribed(application));
            application.script().then(Script.LATER);

            application.send("in flight");

            await().untilAsserted(() ->
                    assertThat(application.script().deliveryCounts()).containsExactly(1, 2));
            assertThat(application.bean(OtherSubscriber.class).received).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = JmsMode.class,
            names = {"TRANSACTED", "CLIENT", "INDIVIDUAL", "SIMPLE_CLIENT"})
    void rollsBackWhenSendingFails(JmsMode mode) {
        try (JmsApplication application = JmsApplication.start(with(JmsMode.OwnFactory.class), mode.property(), COPY)) {
            application.script().then(delivery -> laterOnAFullQueue(application, delivery));

            application.send("in flight");

            await().untilAsserted(() ->
                    assertThat(application.script().deliveryCounts()).containsExactly(1, 2));
            await().untilAsserted(() -> assertThat(application.depth()).isZero());
            assertThat(application.bean(JmsMode.RecordingErrorHandler.class).errors())
                    .isEmpty();
        }
    }

    @Test
    void letsTheFailureOfACopyThroughWhereNothingCanBeRolledBack() {
        try (JmsApplication application =
                JmsApplication.start(with(JmsMode.OwnFactory.class), JmsMode.AUTO.property(), COPY)) {
            application.script().then(delivery -> {
                await().until(() -> application.depth() > 0);
                laterOnAFullQueue(application, delivery);
            });

            application.send("in flight");
            application.send("fills the queue");

            await().untilAsserted(() -> assertThat(application
                            .bean(JmsMode.RecordingErrorHandler.class)
                            .errors())
                    .hasSize(1)
                    .hasOnlyElementsOfType(JMSException.class));
        }
    }

    /** What the listener sent before a guarded method threw is rolled back, not committed together with a copy. */
    @Test
    void rollsBackWhatAListenerDidBeforeAGuardedMethodThrew() {
        try (JmsApplication application =
                JmsApplication.start(new Class<?>[] {JmsApplication.Binding.class, SendingListener.class}, COPY)) {
            application.script().then(Script.fail(new MessageInFlightException("Message in flight for test")));

            application.send("in flight");

            await().untilAsserted(() ->
                    assertThat(application.script().deliveryCounts()).containsExactly(1, 2));
            await().untilAsserted(() -> assertThat(application.depth()).isZero());
            assertThat(application.queue("replies").getMessageCount()).isEqualTo(1);
        }
    }

    @Test
    void copiesWhenAGuardedMethodThrewAndNothingCanBeRolledBack() {
        try (JmsApplication application =
                JmsApplication.start(with(JmsMode.OwnFactory.class), JmsMode.AUTO.property(), COPY)) {
            application.script().then(Script.fail(new MessageInFlightException("Message in flight for test")));

            application.send("in flight");

            await().untilAsserted(() ->
                    assertThat(application.script().deliveryCounts()).containsExactly(1, 1));
            assertThat(application.bean(JmsMode.RecordingErrorHandler.class).errors())
                    .isEmpty();
        }
    }

    /** The copy outlives the stop even where the session has acknowledged the received message. */
    @Test
    void copiesWhenTheContainerStops() {
        try (JmsApplication application = JmsApplication.start(
                with(JmsMode.OwnFactory.class), JmsMode.AUTO.property(), COPY, "test.later-delay=10s")) {
            application.script().then(delivery -> {
                await().until(() -> delivery.waitLeft(null).isZero());
                Script.LATER.on(delivery);
            });
            application.send("in flight");
            await().untilAsserted(() -> assertThat(application.script().seen()).hasSize(1));

            long start = System.nanoTime();
            application.container().shutdown();

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
            await().untilAsserted(() -> assertThat(application.depth()).isEqualTo(1));
            assertThat(application.inDelivery()).isZero();
            assertThat(application.warningTexts()).isEmpty();
        }
    }

    private static void laterOnAFullQueue(JmsApplication application, JmsDelivery delivery) throws Exception {
        application
                .bean(EmbeddedActiveMQ.class)
                .getActiveMQServer()
                .getAddressSettingsRepository()
                .addMatch(
                        JmsApplication.ORDERS,
                        new AddressSettings()
                                .setAddressFullMessagePolicy(AddressFullMessagePolicy.FAIL)
                                .setMaxSizeBytes(1));
        Script.LATER.on(delivery);
    }

    private static Map<String, Object> describe(Message message) throws JMSException {
        Map<String, Object> all = new TreeMap<>();
        for (String name : List.of("text", "number", "flag")) {
            all.put("property " + name, message.getObjectProperty(name));
        }
        all.put("type", message.getJMSType());
        all.put("class", message.getClass());
        all.put("correlation", message.getJMSCorrelationID());
        all.put("priority", message.getJMSPriority());
        all.put("delivery mode", message.getJMSDeliveryMode());
        all.put("expiration", message.getJMSExpiration());
        all.put("destination", message.getJMSDestination());
        all.put("redelivered", message.getJMSRedelivered());
        return all;
    }

    enum Uncopyable {
        BROKER_DETECTS_DUPLICATES(message -> {
            message.setStringProperty("_AMQ_DUPL_ID", "once");
            return message;
        }),
        REPLY_IS_MATCHED_BY_MESSAGE_ID(message -> {
            message.setJMSReplyTo(new ActiveMQQueue("replies"));
            return message;
        });

        private final MessagePostProcessor processor;

        Uncopyable(MessagePostProcessor processor) {
            this.processor = processor;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SendingListener {

        @Bean
        Sender sender(Script script) {
            return new Sender(script);
        }
    }

    record Sender(Script script) {

        @JmsListener(destination = JmsApplication.ORDERS)
        void handle(String payload, Message message, Session session) throws Exception {
            Queue replies = session.createQueue("replies");
            try (MessageProducer producer = session.createProducer(replies)) {
                producer.send(session.createTextMessage(payload));
            }
            script.play(message, payload);
        }
    }

    static class OtherSubscriber {

        private final List<String> received = new CopyOnWriteArrayList<>();

        @JmsListener(destination = JmsApplication.ORDERS)
        void handle(String payload) {
            received.add(payload);
        }

        boolean isSubscribed(JmsApplication application) {
            return application.registry().getListenerContainers().stream()
                    .allMatch(container -> container instanceof DefaultMessageListenerContainer listening
                            && listening.isRegisteredWithDestination());
        }
    }
}
