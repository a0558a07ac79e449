package dev.idempotency.sample.demo;

import dev.idempotency.sample.Payment;
import dev.idempotency.sample.PaymentLedger;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Adds up what the ledger and the deliveries say. */
final class Accountant {

    private final DeliveryLog deliveries;
    private final PaymentLedger ledger;

    Accountant(DeliveryLog deliveries, PaymentLedger ledger) {
        this.deliveries = deliveries;
        this.ledger = ledger;
    }

    Figures add(Scenario scenario) {
        Map<String, Long> payments =
                ledger.payments().stream().collect(Collectors.groupingBy(Payment::orderId, Collectors.counting()));
        int failures = scenario.orders().stream()
                .mapToInt(plan -> watch(plan).failures())
                .sum();
        int unidentified = (int) scenario.orders().stream()
                .filter(plan -> plan.story() == Story.UNIDENTIFIED)
                .mapToLong(plan -> payments.getOrDefault(plan.orderId(), 0L))
                .sum();
        return new Figures(
                scenario.orders().size(),
                scenario.sends().size(),
                deliveries.deliveries(),
                deliveries.handedOver(),
                payments.values().stream().mapToInt(Long::intValue).sum(),
                deliveries.skipped(),
                deliveries.givenBack(),
                failures,
                unidentified,
                count(scenario, plan -> !payments.containsKey(plan.orderId())),
                payments.values().stream()
                        .mapToInt(count -> count.intValue() - 1)
                        .sum(),
                count(scenario, plan -> watch(plan).isOverlapped()),
                count(scenario, plan -> watch(plan).recovered()));
    }

    private OrderWatch watch(OrderPlan plan) {
        return deliveries.of(plan.orderId());
    }

    private static int count(Scenario scenario, Predicate<OrderPlan> condition) {
        return (int) scenario.orders().stream().filter(condition).count();
    }
}
