package dev.idempotency.sample;

import java.math.BigDecimal;
import java.time.Instant;

/** One charge of one order: the effect that must happen once. */
public record Payment(String orderId, BigDecimal amount, Instant chargedAt) {}
