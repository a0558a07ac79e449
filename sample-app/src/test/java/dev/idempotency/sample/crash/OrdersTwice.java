package dev.idempotency.sample.crash;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** Orders as their producer publishes them, each of them twice, the copies near each other. */
final class OrdersTwice {

    private static final int WINDOW = 50;

    private OrdersTwice() {}

    static void publish(String brokerUrl, int orders) throws JMSException {
        Random random = new Random(42);
        List<String> window = new ArrayList<>();
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(brokerUrl);
                JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            for (int order = 1; order <= orders; order++) {
                window.add("order-" + order);
                window.add("order-" + order);
                if (window.size() == WINDOW || order == orders) {
                    Collections.shuffle(window, random);
                    for (String each : window) {
                        context.createProducer().send(context.createQueue(CrashBroker.QUEUE), message(context, each));
                    }
                    window.clear();
                    context.commit();
                }
            }
        }
    }

    private static TextMessage message(JMSContext context, String orderId) {
        return context.createTextMessage("{\"job\":\"urn:sample:orders:created\",\"data\":{\"order_id\":\"" + orderId
                + "\",\"amount\":1.00},\"meta\":{\"id\":\"message-" + orderId + "\"}}");
    }
}
