package dev.idempotency.listener;

import static dev.idempotency.listener.JmsApplication.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.idempotency.MessageInFlightException;
import dev.idempotency.StoreUnavailableException;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** <em>Later</em> by rollback: what the broker then holds, and who hears of it. */
class JmsRollbackTests {

    private static final Script.Act HANDLER_FAILS = Script.fail(new IllegalStateException("handler failed"));

    /** FAULTS O27: a copy in flight is not settled; it comes again until it is decided. */
    @ParameterizedTest
    @EnumSource(
            value = JmsMode.class,
            mode = Mode.EXCLUDE,
            names = {"AUTO", "DUPS_OK", "SIMPLE_AUTO"})
    void deliversAgainUntilDecided(JmsMode mode) {
        try (JmsApplication application = JmsApplication.start(with(JmsMode.OwnFactory.class), mode.property())) {
            application.script().then(Script.LATER, Script.LATER).otherwise(Script.SKIP);

            application.send("in flight");

            await().untilAsserted(() ->
                    assertThat(application.script().deliveryCounts()).containsExactly(1, 2, 3));
            await().untilAsserted(() -> assertThat(application.depth()).isZero());
            assertThat(application.inDelivery()).isZero();
            assertThat(application.deadLetters()).isZero();
            assertNobodyHeard(application);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = JmsMode.class,
            names = {"AUTO", "DUPS_OK", "SIMPLE_AUTO"})
    void reportsTheMessageAsLostWhereItCannotBeGivenBack(JmsMode mode) {
        try (JmsApplication application = JmsApplication.start(with(JmsMode.OwnFactory.class), mode.property())) {
            application.script().then(delivery -> {
                assertThat(delivery.canReturn()).isFalse();
                waitUntilNoTimeIsLeft(delivery, Duration.ofMillis(1));
                Script.LATER.on(delivery);
            });

            application.send("in flight");
            await().untilAsserted(() -> assertThat(application.script().seen()).hasSize(1));
            application.registry().stop();

            await().untilAsserted(() -> assertThat(application.warningTexts())
                    .singleElement()
                    .asString()
                    .startsWith(JmsReturn.class.getName() + " ERROR Message lost for JMS listener"
                            + " 'OrderListener#handle', whose session acknowledges a message on receipt: Message in flight for"
                            + " test"));
            application.container().shutdown();
            assertThat(application.depth()).isZero();
            assertThat(application.bean(JmsMode.RecordingErrorHandler.class).errors())
                    .isEmpty();
        }
    }

    @Test
    void keepsEverythingQuietWithBootsOwnFactory() {
        try (JmsApplication application = JmsApplication.start(with(), "spring.jms.cache.enabled=true")) {
            application.script().then(Script.LATER);

            application.send("in flight");

            await().untilAsserted(() ->
                    assertThat(application.script().deliveryCounts()).containsExactly(1, 2));
            await().untilAsserted(() -> assertThat(application.depth()).isZero());
            assertThat(application.warningTexts()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void givesBackWhenAGuardedMethodFurtherDownThrows(boolean wrapped) {
        StoreUnavailableException reason = new StoreUnavailableException("Store down for test", new JMSException("x"));
        try (JmsApplication application = JmsApplication.start(with(JmsMode.OwnFactory.class))) {
            application.script().then(Script.fail(wrapped ? new IllegalStateException("around it", reason) : reason));

            application.send("deferred");

            await().untilAsserted(() ->
                    assertThat(application.script().deliveryCounts()).containsExactly(1, 2));
            await().untilAsserted(() -> assertThat(application.depth()).isZero());
            assertNobodyHeard(application);
        }
    }

    @Test
    void tellsTheErrorHandlerWhenAThrownDeferralCannotBeGivenBack() {
        MessageInFlightException reason = new MessageInFlightException("Message in flight for test");
        try (JmsApplication application =
                JmsApplication.start(with(JmsMode.OwnFactory.class), JmsMode.AUTO.property())) {
            application.script().then(Script.fail(reason));

            application.send("deferred");

            JmsMode.RecordingErrorHandler errorHandler = application.bean(JmsMode.RecordingErrorHandler.class);
            await().untilAsserted(() -> assertThat(errorHandler.errors())
                    .singleElement()
                    .extracting(Throwable::getCause)
                    .isSameAs(reason));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leavesAttemptsAndDeadLettersOfAFailingHandlerAlone(boolean bound) {
        Class<?>[] configuration = bound
                ? with(JmsMode.OwnFactory.class)
                : new Class<?>[] {JmsApplication.OrderListener.class, JmsMode.OwnFactory.class};
        IllegalStateException failure = new IllegalStateException("handler failed");
        try (JmsApplication application = JmsApplication.start(configuration)) {
            application.script().otherwise(Script.fail(failure));

            application.send("poison");

            await().untilAsserted(() -> assertThat(application.deadLetters()).isEqualTo(1));
            assertThat(application.script().deliveryCounts()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
            assertThat(application.depth()).isZero();
            assertThat(application.bean(JmsMode.RecordingErrorHandler.class).errors())
                    .hasSize(10)
                    .allSatisfy(error -> assertThat(error.getCause()).isSameAs(failure));
        }
    }

    @Test
    void spendsNoMoreThanOneAttemptForEachReturn() {
        try (JmsApplication application = JmsApplication.start(with(JmsMode.OwnFactory.class))) {
            application.script().then(Script.LATER, HANDLER_FAILS, Script.LATER).otherwise(HANDLER_FAILS);

            application.send("poison");

            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(application.deadLetters()).isEqualTo(1));
            assertThat(application.script().deliveryCounts()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
            assertThat(application.bean(JmsMode.RecordingErrorHandler.class).errors())
                    .hasSize(8);
        }
    }

    @Test
    void logsFailuresAsTheContainerWouldWithoutAnErrorHandler() {
        assertThat(logOfOneFailure(with())).isEqualTo(logOfOneFailure(JmsApplication.OrderListener.class));
    }

    @Test
    void pausesLongerWithEachDelivery() {
        List<Long> times = new CopyOnWriteArrayList<>();
        Script.Act later = delivery -> {
            times.add(System.nanoTime());
            Script.LATER.on(delivery);
        };
        try (JmsApplication application = JmsApplication.start(with(), "test.later-delay=200ms")) {
            application.script().then(later, later).otherwise(delivery -> times.add(System.nanoTime()));

            application.send("in flight");

            await().untilAsserted(() -> assertThat(times).hasSize(3));
            assertThat(Duration.ofNanos(times.get(1) - times.get(0))).isGreaterThanOrEqualTo(ms(200));
            assertThat(Duration.ofNanos(times.get(2) - times.get(1))).isGreaterThanOrEqualTo(ms(400));
        }
    }

    @Test
    void takesTheTimeWaitedFromThePause() {
        try (JmsApplication application = JmsApplication.start(with(), "test.later-delay=60s", "test.max-delay=60s")) {
            application.script().then(delivery -> {
                delivery.waited(Duration.ofSeconds(60));
                Script.LATER.on(delivery);
            });

            application.send("in flight");

            await().untilAsserted(() ->
                    assertThat(application.script().deliveryCounts()).containsExactly(1, 2));
        }
    }

    /** FAULTS O83: a stop during the pause is bounded, and the broker has the message back. */
    @ParameterizedTest
    @EnumSource(
            value = JmsMode.class,
            names = {"TRANSACTED", "JMS_TRANSACTION_MANAGER", "INDIVIDUAL", "SIMPLE_TRANSACTED", "SIMPLE_CLIENT"})
    void endsThePauseWhenTheContainerStops(JmsMode mode) {
        try (JmsApplication application = JmsApplication.start(
                with(JmsMode.OwnFactory.class), mode.property(), "test.later-delay=60s", "test.max-delay=60s")) {
            application.script().otherwise(Script.LATER);
            application.send("in flight");
            await().untilAsserted(() -> assertThat(application.script().seen()).hasSize(1));

            long start = System.nanoTime();
            application.container().shutdown();

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
            await().untilAsserted(() -> assertThat(application.inDelivery()).isZero());
            assertThat(application.depth()).isEqualTo(1);
            assertThat(application.deadLetters()).isZero();
            assertThat(application.script().seen()).hasSize(1);
            assertThat(application.bean(JmsMode.RecordingErrorHandler.class).errors())
                    .isEmpty();
            // A Simple container may be handed the message once more while it stops, and says so itself.
            assertThat(application.warningTexts())
                    .allMatch(text -> text.contains("SimpleMessageListenerContainer WARN Rejecting received message"));
        }
    }

    /** FAULTS O83. */
    @Test
    void endsThePauseWhenTheContextCloses() {
        try (JmsApplication application = JmsApplication.start(with(), "test.later-delay=60s", "test.max-delay=60s")) {
            Script script = application.script().otherwise(Script.LATER);
            application.send("in flight");
            await().untilAsserted(() -> assertThat(script.seen()).hasSize(1));

            long start = System.nanoTime();
            application.context().close();

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
            assertThat(application.warningTexts()).isEmpty();
            assertThat(script.seen()).hasSize(1);
        }
    }

    @Test
    void hasOneBudgetForWaiting() {
        List<Duration> left = new CopyOnWriteArrayList<>();
        try (JmsApplication application = JmsApplication.start(with())) {
            application.script().then(delivery -> {
                left.add(delivery.waitLeft(null));
                left.add(delivery.waitLeft(Duration.ofSeconds(4)));
                delivery.waited(Duration.ofSeconds(3));
                left.add(delivery.waitLeft(null));
                left.add(delivery.waitLeft(Duration.ofSeconds(4)));
                delivery.waited(Duration.ofSeconds(3));
                left.add(delivery.waitLeft(Duration.ofSeconds(4)));
                left.add(delivery.waitLeft(Duration.ZERO));
            });

            application.send("in flight");

            await().untilAsserted(() -> assertThat(left)
                    .containsExactly(
                            Duration.ofSeconds(35),
                            Duration.ofSeconds(4),
                            Duration.ofSeconds(32),
                            Duration.ofSeconds(1),
                            Duration.ZERO,
                            Duration.ZERO));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = JmsMode.class,
            names = {"AUTO", "TRANSACTED"})
    void hasNoTimeToWaitOnceTheContainerStops(JmsMode mode) {
        try (JmsApplication application = JmsApplication.start(with(JmsMode.OwnFactory.class), mode.property())) {
            List<Duration> left = new CopyOnWriteArrayList<>();
            application.script().then(delivery -> {
                waitUntilNoTimeIsLeft(delivery, Duration.ZERO);
                left.add(delivery.waitLeft(Duration.ofSeconds(60)));
            });
            application.send("in flight");
            await().untilAsserted(() -> assertThat(application.script().seen()).hasSize(1));

            application.registry().stop();

            await().atMost(Duration.ofSeconds(5))
                    .untilAsserted(() -> assertThat(left).containsExactly(Duration.ZERO));
        }
    }

    private static List<String> logOfOneFailure(Class<?>... configuration) {
        try (JmsApplication application = JmsApplication.start(configuration)) {
            application.script().then(HANDLER_FAILS);
            application.send("poison");
            await().untilAsserted(() ->
                    assertThat(application.script().deliveryCounts()).containsExactly(1, 2));
            await().untilAsserted(() -> assertThat(application.depth()).isZero());
            assertThat(application.warnings()).hasSize(1);
            return application.warnings().stream()
                    .map(JmsRollbackTests::describe)
                    .toList();
        }
    }

    private static String describe(ILoggingEvent event) {
        return event.getLoggerName() + " " + event.getLevel() + " " + event.getFormattedMessage() + " "
                + event.getThrowableProxy().getClassName() + " "
                + event.getThrowableProxy().getCause().getMessage();
    }

    private static void assertNobodyHeard(JmsApplication application) {
        assertThat(application.bean(JmsMode.RecordingErrorHandler.class).errors())
                .isEmpty();
        assertThat(application.warningTexts()).isEmpty();
    }

    // As the guard waits: in steps, as long as the delivery has time left.
    private static void waitUntilNoTimeIsLeft(JmsDelivery delivery, Duration step) {
        while (delivery.waitLeft(Duration.ofSeconds(60)).compareTo(Duration.ZERO) > 0) {
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            delivery.waited(step);
        }
    }

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }
}
