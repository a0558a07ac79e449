package dev.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.idempotency.MissingIdPolicy;
import dev.idempotency.MissingMessageIdException;
import dev.idempotency.Outcome;
import dev.idempotency.fixture.RecordingOutcomes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** K6: a message without a usable id is run unguarded, stored nowhere and counted. */
@ExtendWith(OutputCaptureExtension.class)
class MissingIdTests {

    private final FaultyStore store = new FaultyStore().failAt("seen", "claim", "remember", "complete", "release");
    private final RecordingOutcomes outcomes = new RecordingOutcomes();

    // O41, O43, O50
    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "   ", "\t\n"})
    void runsEachDeliveryAndLeavesTheStoreAlone(String messageId) throws Throwable {
        IdempotencyTemplate template =
                IdempotencyTemplate.builder(store).listener(outcomes).build();
        Handler handler = Handler.succeeding();

        template.execute("orders", messageId, handler);
        template.execute("orders", messageId, handler);

        assertThat(handler.calls()).isEqualTo(2);
        assertThat(outcomes.outcomes()).containsExactly(Outcome.UNIDENTIFIED, Outcome.UNIDENTIFIED);
        assertThat(outcomes.operations()).isEmpty();
    }

    @Test
    void countsADeliveryWhoseHandlerFailsToo() {
        IdempotencyTemplate template =
                IdempotencyTemplate.builder(store).listener(outcomes).build();
        IllegalStateException failure = new IllegalStateException("x");

        assertThat(catchThrowable(() -> template.execute("orders", null, Handler.failing(failure))))
                .isSameAs(failure);
        assertThat(outcomes.outcomes()).containsExactly(Outcome.UNIDENTIFIED);
    }

    @Test
    void rejectsWhereThePolicySaysSo() {
        IdempotencyTemplate template = IdempotencyTemplate.builder(store)
                .listener(outcomes)
                .onMissingId(MissingIdPolicy.REJECT)
                .build();
        Handler handler = Handler.succeeding();

        assertThatExceptionOfType(MissingMessageIdException.class)
                .isThrownBy(() -> template.execute("orders", " ", handler))
                .withMessageContaining("orders")
                .withMessageContaining("on-missing-id")
                .withMessageEndingWith("The caller passed none. Let the producer set one, and pass it.");
        assertThat(handler.calls()).isZero();
        assertThat(outcomes.outcomes()).containsExactly(Outcome.REJECTED);
    }

    @Test
    void warnsOncePerConsumer(CapturedOutput output) throws Throwable {
        IdempotencyTemplate template = IdempotencyTemplate.builder(store).build();

        for (int i = 0; i < 3; i++) {
            template.execute("orders", null, Handler.succeeding());
            template.mutate().build().execute("payments", null, Handler.succeeding());
        }

        assertThat(output).containsOnlyOnce("no usable id for consumer orders");
        assertThat(output).containsOnlyOnce("no usable id for consumer payments");
    }

    @Test
    void saysHowTheResolverOfDecoratedHandlerFindsOne(CapturedOutput output) {
        IdempotencyTemplate.builder(store)
                .build()
                .wrap("orders", (Integer message) -> {})
                .accept(1);

        assertThat(output)
                .containsOnlyOnce("no usable id for consumer orders")
                .contains("'idempotency.message-id.headers' or 'idempotency.message-id.json-pointer'");
    }

    @Test
    void isNotPreventedByAStoreThatIsOut() throws Throwable {
        IdempotencyTemplate template = IdempotencyTemplate.builder(store).build();

        assertThat(template.execute("orders", null, Handler.succeeding()).value())
                .isEqualTo("handled");
    }
}
