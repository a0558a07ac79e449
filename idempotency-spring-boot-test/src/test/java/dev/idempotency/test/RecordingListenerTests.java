package dev.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.idempotency.MessageOutcome;
import dev.idempotency.Outcome;
import dev.idempotency.StoreOperation;
import java.time.Duration;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordingListenerTests {

    private final RecordingListener listener = new RecordingListener();

    @Test
    void keepsWhatItIsToldInOrder() {
        tell("orders", "A", Outcome.PROCESSED);
        tell("billing", "A", Outcome.FAILED);
        tell("orders", "A", Outcome.DUPLICATE);
        tell("orders", null, Outcome.UNIDENTIFIED);
        listener.onConsumer("orders");
        listener.onStoreOperation(new StoreOperation("s", "claim", "acquired", Duration.ZERO));
        listener.onStoreOperation(new StoreOperation("s", "complete", "done", Duration.ZERO));

        assertThat(listener.outcomes()).hasSize(4);
        assertThat(listener.outcomes("billing")).containsExactly(Outcome.FAILED);
        assertThat(listener.outcomes("orders", "A")).containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE);
        assertThat(listener.outcomes("orders", null)).containsExactly(Outcome.UNIDENTIFIED);
        assertThat(listener.consumers()).containsExactly("orders");
        assertThat(listener.results("claim")).containsExactly("acquired");
        assertThat(listener.operations()).hasSize(2);
        listener.clear();
        assertThat(listener.messageOutcomes()).isEmpty();
        assertThat(listener.operations()).isEmpty();
        assertThat(listener.consumers()).isEmpty();
    }

    @Test
    void waitsForAnOutcomeOfAnotherThread() {
        Thread other = new Thread(() -> tell("orders", "A", Outcome.PROCESSED));
        other.start();
        listener.await("orders", "A", Outcome.PROCESSED);
        assertThat(listener.outcomes("orders", "A")).containsExactly(Outcome.PROCESSED);
    }

    @Test
    void failsIfAnOutcomeDoesNotCome() {
        RecordingListener impatient = new RecordingListener(Duration.ofMillis(100));
        assertThatExceptionOfType(ConditionTimeoutException.class)
                .isThrownBy(() -> impatient.await("orders", "A", Outcome.PROCESSED))
                .withMessageContaining("PROCESSED of orders/A");
    }

    private void tell(String consumer, @Nullable String id, Outcome outcome) {
        listener.onOutcome(new MessageOutcome(consumer, id, outcome, Duration.ZERO));
    }
}
