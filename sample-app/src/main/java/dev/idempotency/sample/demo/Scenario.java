package dev.idempotency.sample.demo;

import dev.idempotency.sample.OrderCreated;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * 200 orders and the order in which their messages are put on the queue; the same seed gives the same scenario.
 *
 * <p>The least it can give: 576 messages, and 44 deliveries more for those that fail or go back once.
 *
 * @param orders the orders
 * @param sends one element for each message on the queue
 */
record Scenario(List<OrderPlan> orders, List<OrderPlan> sends) {

    static final int ORDERS = 200;

    static Scenario of(long seed) {
        Random random = new Random(seed);
        List<OrderPlan> orders = new ArrayList<>();
        for (Story story : stories(random)) {
            int copies = story == Story.UNIDENTIFIED ? 1 : between(3, 4, random);
            String orderId = "order-%03d".formatted(orders.size() + 1);
            BigDecimal amount = BigDecimal.valueOf(between(100, 50_000, random), 2);
            orders.add(new OrderPlan(new OrderCreated(orderId, amount), story, copies));
        }
        return new Scenario(List.copyOf(orders), sends(orders, random));
    }

    private static List<Story> stories(Random random) {
        List<Story> stories = new ArrayList<>();
        add(stories, Story.UNIDENTIFIED, between(8, 12, random));
        add(stories, Story.FAILING, between(22, 30, random));
        add(stories, Story.FAILING_IN_FLIGHT, between(10, 15, random));
        add(stories, Story.SLOW, between(12, 18, random));
        add(stories, Story.OVERLAPPING, between(105, 120, random));
        add(stories, Story.PLAIN, ORDERS - stories.size());
        Collections.shuffle(stories, random);
        return stories;
    }

    private static List<OrderPlan> sends(List<OrderPlan> orders, Random random) {
        List<Send> sends = new ArrayList<>();
        for (OrderPlan order : orders) {
            double first = random.nextDouble();
            for (int copy = 1; copy <= order.copies(); copy++) {
                boolean together = copy == 1 || copy == 2 && order.startsWithPair();
                sends.add(new Send(together ? first : first + (1 - first) * random.nextDouble(), order));
            }
        }
        // Stable: a pair stays a pair.
        sends.sort(Comparator.comparingDouble(Send::position));
        return sends.stream().map(Send::order).toList();
    }

    private static void add(List<Story> stories, Story story, int count) {
        stories.addAll(Collections.nCopies(count, story));
    }

    private static int between(int least, int most, Random random) {
        return least + random.nextInt(most - least + 1);
    }

    private record Send(double position, OrderPlan order) {}
}
