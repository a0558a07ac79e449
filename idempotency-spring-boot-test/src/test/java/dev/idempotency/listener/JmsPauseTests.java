package dev.idempotency.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JmsPauseTests {

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 4", "4, 8", "5, 16", "6, 30", "7, 30", "100, 30", "2147483647, 30"})
    void doublesWithEachDeliveryUpToTheLimit(int deliveryCount, long seconds) {
        JmsSettings settings = new JmsSettings(JmsLater.ROLLBACK, Duration.ofSeconds(1), Duration.ofSeconds(30));

        assertThat(JmsPause.length(settings, deliveryCount)).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    @Timeout(5)
    void endsOnInterruptAndKeepsTheFlag() {
        Thread.currentThread().interrupt();

        JmsPause.hold(Duration.ofMinutes(1), () -> true);

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    @Timeout(5)
    void endsWhenTheContainerStops() {
        AtomicInteger asked = new AtomicInteger();

        JmsPause.hold(Duration.ofMinutes(1), () -> asked.incrementAndGet() < 3);

        assertThat(asked).hasValue(3);
    }

    @Test
    void refusesNegativeDurations() {
        Duration negative = Duration.ofMillis(-1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JmsListenerBinding(JmsLater.ROLLBACK, negative, Duration.ZERO))
                .withMessage("'laterDelay' must not be negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JmsListenerBinding(JmsLater.ROLLBACK, Duration.ZERO, negative))
                .withMessage("'maxDelay' must not be negative");
    }
}
