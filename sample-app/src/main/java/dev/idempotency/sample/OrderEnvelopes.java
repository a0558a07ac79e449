package dev.idempotency.sample;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jms.support.converter.MessageConversionException;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.json.JsonMapper;

/** Writes and reads the wire format of the queue: a JSON envelope with the order in {@code data}. */
@Component
public class OrderEnvelopes {

    private static final String ORDER_CREATED = "urn:sample:orders:created";

    private final JsonMapper json;

    OrderEnvelopes(JsonMapper json) {
        this.json = json;
    }

    /**
     * Writes a message.
     *
     * @param messageId the id of the message; null for a producer that sets none
     */
    public String write(OrderCreated order, @Nullable String messageId) {
        Meta meta = new Meta(
                messageId, OrderPublisher.QUEUE, "java", 1, Instant.now().toEpochMilli());
        return json.writeValueAsString(
                new Envelope(ORDER_CREATED, UUID.randomUUID().toString(), order, meta, 0));
    }

    /** Reads the order of a message. Members that are not known here are none of our business. */
    public OrderCreated read(String text) {
        try {
            Received received = json.readValue(text, Received.class);
            if (!ORDER_CREATED.equals(received.job()) || received.data() == null) {
                throw new MessageConversionException("Message is no created order, but '" + received.job() + "'");
            }
            return received.data();
        } catch (JacksonException ex) {
            throw new MessageConversionException("Message is no envelope with an order", ex);
        }
    }

    private record Received(@Nullable String job, @Nullable OrderCreated data) {}

    @JsonNaming(SnakeCaseStrategy.class)
    private record Envelope(String job, String traceId, OrderCreated data, Meta meta, int attempts) {}

    @JsonNaming(SnakeCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Meta(@Nullable String id, String queue, String lang, int schemaVersion, long createdAt) {}
}
