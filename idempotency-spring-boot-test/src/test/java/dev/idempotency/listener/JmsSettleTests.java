package dev.idempotency.listener;

import static dev.idempotency.listener.JmsApplication.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** FAULTS K7: a skip is a success for the container, whatever the acknowledge mode. */
class JmsSettleTests {

    @ParameterizedTest
    @EnumSource(JmsMode.class)
    void settlesSkippedMessages(JmsMode mode) {
        try (JmsApplication application = JmsApplication.start(with(JmsMode.OwnFactory.class), mode.property())) {
            application.script().otherwise(Script.SKIP);

            for (int i = 0; i < 5; i++) {
                application.send("duplicate " + i);
            }

            await().untilAsserted(() -> assertThat(application.script().seen()).hasSize(5));
            if (mode == JmsMode.DUPS_OK) {
                // Acknowledges in batches, or when it ends.
                application.container().shutdown();
            }
            await().untilAsserted(() -> assertThat(application.depth()).isZero());
            assertThat(application.inDelivery()).isZero();
            assertThat(application.deadLetters()).isZero();
            assertThat(application.script().deliveryCounts()).containsOnly(1);
            assertThat(application.bean(JmsMode.RecordingErrorHandler.class).errors())
                    .isEmpty();
            assertThat(application.warningTexts()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = JmsMode.class,
            names = {"CLIENT_BY_HANDLER", "INDIVIDUAL_BY_HANDLER"})
    void leavesAcknowledgingToTheHandlerThatRan(JmsMode mode) {
        try (JmsApplication application = JmsApplication.start(with(JmsMode.OwnFactory.class), mode.property())) {
            application.script().then(Script.RUN);

            application.send("handled, not acknowledged");

            await().untilAsserted(() -> assertThat(application.script().seen()).hasSize(1));
            application.container().shutdown();
            assertThat(application.depth()).isEqualTo(1);
        }
    }
}
