package dev.idempotency.sample;

/** Takes the money: somebody else's service, at times slow and at times down. */
public interface PaymentProvider {

    /** Charges an order; a second call charges it a second time. */
    void charge(OrderCreated order);
}
