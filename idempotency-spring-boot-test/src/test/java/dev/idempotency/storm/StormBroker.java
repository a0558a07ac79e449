package dev.idempotency.storm;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** A broker that other processes connect to. */
final class StormBroker implements AutoCloseable {

    private static final String DEAD_LETTERS = "DLQ";
    private static final int BATCH = 1000;

    private final EmbeddedActiveMQ server;
    private final String url;

    private StormBroker(EmbeddedActiveMQ server, String url) {
        this.server = server;
        this.url = url;
    }

    static StormBroker start() throws Exception {
        String url = "tcp://127.0.0.1:" + freePort();
        EmbeddedActiveMQ server = new EmbeddedActiveMQ();
        server.setConfiguration(new ConfigurationImpl()
                .setPersistenceEnabled(false)
                .setSecurityEnabled(false)
                .setJournalDirectory("target/artemis-storm")
                .addAddressSetting(
                        "#",
                        new AddressSettings()
                                .setDeadLetterAddress(SimpleString.of(DEAD_LETTERS))
                                .setAutoCreateDeadLetterResources(true)
                                // each kill counts a delivery of all that the process had in hand
                                .setMaxDeliveryAttempts(100)
                                .setRedeliveryDelay(500)
                                .setRedeliveryMultiplier(2)
                                .setMaxRedeliveryDelay(4000)
                                .setAutoDeleteQueues(false))
                .addAcceptorConfiguration("tcp", url));
        server.start();
        return new StormBroker(server, url);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Without prefetch: a consumer that waits hoards nothing. */
    String url() {
        return url + "?consumerWindowSize=0";
    }

    void send(List<String> ids) throws JMSException {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(url);
                JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            int sent = 0;
            for (String id : ids) {
                TextMessage message = context.createTextMessage(id);
                message.setStringProperty("MessageId", id);
                context.createProducer().send(context.createQueue(StormWorker.QUEUE), message);
                if (++sent % BATCH == 0) {
                    context.commit();
                }
            }
            context.commit();
        }
    }

    /** Messages that are not settled, those in delivery or with a later delivery included. */
    long unsettled() {
        return depth(StormWorker.QUEUE);
    }

    long deadLetters() {
        return depth(DEAD_LETTERS);
    }

    private long depth(String queue) {
        var located = server.getActiveMQServer().locateQueue(SimpleString.of(queue));
        return located != null ? located.getMessageCount() : 0;
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception ex) {
            throw new IllegalStateException("Broker did not stop", ex);
        }
    }
}
