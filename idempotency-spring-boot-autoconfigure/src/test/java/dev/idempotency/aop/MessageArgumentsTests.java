package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Idempotent;
import dev.idempotency.fixture.RecordingOutcomes;
import dev.idempotency.fixture.TestDelivery;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.support.MessageBuilder;

/** Kind K6: which argument is the message, where no container has said so (O37, O49). */
class MessageArgumentsTests {

    @Test
    void takesThePayloadWhereverItStands() {
        assertIdOf(listener -> listener.payload(message("no"), message("payload"), message("no")), "payload");
    }

    @Test
    void takesNoOtherArgumentInPlaceOfThePayload() {
        assertIdOf(listener -> listener.payload(message("no"), Map.of(), message("no")), "null");
    }

    @Test
    void leavesHeadersOut() {
        assertIdOf(listener -> listener.headers(message("no"), message("no"), message("yes")), "yes");
    }

    @Test
    void takesFirstArgumentThatHasAnId() {
        assertIdOf(listener -> listener.two(Map.of(), message("second")), "second");
    }

    @Test
    void takesWhatTheInterfaceDeclaresThePayload() {
        application().withBean(DeclaredListener.class).run(context -> {
            context.getBean(DeclaredListener.class).handle(message("no"), message("yes"));
            assertThat(context.getBean(RecordingOutcomes.class).messageIds()).containsExactly("yes");
        });
    }

    @Test
    void looksIntoMessageArgument() {
        assertIdOf(
                listener -> listener.message(MessageBuilder.withPayload("text")
                        .setHeader("MessageId", "header")
                        .build()),
                "header");
    }

    @Test
    void neverTakesTheIdThatSpringGenerates() {
        assertIdOf(
                listener -> listener.message(MessageBuilder.withPayload("text")
                        .setHeader("correlationId", "c1")
                        .build()),
                "null");
        assertIdOf(listener -> listener.messageHeaders(new MessageHeaders(message("no"))), "null");
    }

    @Test
    void takesConvertedPayloadWhereTheBodyIsNotToBeHad() {
        assertIdOf(delivered(Map.of(), listener -> listener.one(message("converted"))), "converted");
    }

    @Test
    void takesHeaderBeforeConvertedPayloadThatIsNoEnvelope() {
        assertIdOf(delivered(Map.of("MessageId", "header"), listener -> listener.one(message("converted"))), "header");
    }

    @Test
    void takesConvertedEnvelopeBeforeHeaders() {
        Map<String, Object> envelope = Map.of("job", "bill", "meta", Map.of("id", "envelope"));
        assertIdOf(delivered(Map.of("MessageId", "header"), listener -> listener.one(envelope)), "envelope");
    }

    @Test
    void takesHeaderWhereNoArgumentIsTheMessage() {
        assertIdOf(delivered(Map.of("MessageId", "header"), Listener::none), "header");
    }

    private static Consumer<Listener> delivered(Map<String, ?> headers, Consumer<Listener> call) {
        return listener -> new TestDelivery(null, headers, null).deliver(() -> {
            call.accept(listener);
            return null;
        });
    }

    private static void assertIdOf(Consumer<Listener> call, String id) {
        application().withBean(Listener.class).run(context -> {
            call.accept(context.getBean(Listener.class));
            assertThat(context.getBean(RecordingOutcomes.class).messageIds()).containsExactly(id);
        });
    }

    static class Listener {

        @Idempotent
        public void payload(Object first, @Payload Object payload, Object last) {}

        @Idempotent
        public void headers(@Header("x") Object header, @Headers Map<String, Object> headers, Object message) {}

        @Idempotent
        public void two(Object first, Object second) {}

        @Idempotent
        public void one(Object message) {}

        @Idempotent
        public void none() {}

        @Idempotent
        public void message(Message<String> message) {}

        @Idempotent
        public void messageHeaders(MessageHeaders headers) {}
    }

    interface Declared {
        void handle(@Header("x") Object header, @Payload Object payload);
    }

    static class DeclaredListener implements Declared {
        @Override
        @Idempotent
        public void handle(Object header, Object payload) {}
    }
}
