package dev.idempotency.sample;

import java.time.Instant;
import org.springframework.stereotype.Component;

@Component
class PaymentService {

    private final PaymentProvider provider;
    private final PaymentLedger ledger;

    PaymentService(PaymentProvider provider, PaymentLedger ledger) {
        this.provider = provider;
        this.ledger = ledger;
    }

    void charge(OrderCreated order) {
        provider.charge(order);
        ledger.record(new Payment(order.orderId(), order.amount(), Instant.now()));
    }
}
