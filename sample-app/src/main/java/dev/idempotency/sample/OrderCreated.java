package dev.idempotency.sample;

import java.math.BigDecimal;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What the consumer is told: the {@code data} of the envelope, and nothing else. It does not know the id of the message
 * that brought it.
 */
@JsonNaming(SnakeCaseStrategy.class)
public record OrderCreated(String orderId, BigDecimal amount) {}
