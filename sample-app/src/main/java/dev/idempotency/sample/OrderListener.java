package dev.idempotency.sample;

import dev.idempotency.Idempotent;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.stereotype.Component;

@Component
class OrderListener {

    private final PaymentService payments;

    OrderListener(PaymentService payments) {
        this.payments = payments;
    }

    // Only the payload: the guard reads the message id from the raw message that the container received.
    @JmsListener(destination = OrderPublisher.QUEUE)
    @Idempotent(consumer = "payments")
    void on(OrderCreated order) {
        payments.charge(order);
    }
}
