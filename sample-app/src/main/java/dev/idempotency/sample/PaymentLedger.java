package dev.idempotency.sample;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.stereotype.Component;

/** Every charge that was made, doubled ones included: it keeps a journal and knows nothing of message ids. */
@Component
public class PaymentLedger {

    private final Queue<Payment> payments = new ConcurrentLinkedQueue<>();

    void record(Payment payment) {
        payments.add(payment);
    }

    /** Returns all payments, in the order they were made. */
    public List<Payment> payments() {
        return List.copyOf(payments);
    }

    List<Payment> paymentsOf(String orderId) {
        return payments.stream()
                .filter(payment -> payment.orderId().equals(orderId))
                .toList();
    }
}
