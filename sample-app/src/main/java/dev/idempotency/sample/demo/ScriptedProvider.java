package dev.idempotency.sample.demo;

import dev.idempotency.sample.OrderCreated;
import dev.idempotency.sample.PaymentProvider;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A payment provider that is slow or down as the scenario says. */
final class ScriptedProvider implements PaymentProvider {

    private final DeliveryLog deliveries;
    private final Map<String, Story> stories = new ConcurrentHashMap<>();

    ScriptedProvider(DeliveryLog deliveries) {
        this.deliveries = deliveries;
    }

    void follow(Scenario scenario) {
        scenario.orders().forEach(plan -> stories.put(plan.orderId(), plan.story()));
    }

    @Override
    public void charge(OrderCreated order) {
        Attempt attempt = deliveries.current();
        attempt.reachedHandler();
        OrderWatch watch = attempt.order();
        watch.startWork();
        boolean failed = true;
        try {
            play(stories.getOrDefault(order.orderId(), Story.PLAIN), attempt);
            failed = false;
        } finally {
            watch.endWork(failed, attempt.number());
        }
    }

    private static void play(Story story, Attempt attempt) {
        OrderWatch watch = attempt.order();
        switch (story) {
            case OVERLAPPING -> watch.awaitCopy();
            case SLOW -> watch.awaitGivenBack();
            case FAILING -> fail(attempt.number() == 1);
            case FAILING_IN_FLIGHT -> {
                watch.awaitCopy();
                fail(watch.runs() == 1);
            }
            case PLAIN, UNIDENTIFIED -> {}
        }
    }

    private static void fail(boolean down) {
        if (down) {
            throw new ProviderDownException();
        }
    }

    static final class ProviderDownException extends RuntimeException {

        ProviderDownException() {
            super("The payment provider is down");
        }
    }
}
