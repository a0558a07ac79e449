package dev.idempotency.sample;

import dev.idempotency.Idempotent;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

@Component
class OrderListener {

    private final PaymentService payments;

    OrderListener(PaymentService payments) {
        this.payments = payments;
    }

    // Payment and mark are in one transaction: both are there after it, or neither is. What is outside of it, as the
    // provider's own books, is not: after a crash before the commit it is asked again, and tells by the order's id.
    // Only the payload: the guard reads the message id from the raw message that the container received.
    @JmsListener(destination = OrderPublisher.QUEUE)
    @Idempotent(consumer = "payments")
    @Transactional
    public void on(OrderCreated order) {
        payments.charge(order);
    }
}
