package dev.idempotency.sample.crash;

import java.io.IOException;
import java.net.ServerSocket;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/** A broker that outlives its consumers. */
final class CrashBroker implements AutoCloseable {

    static final String QUEUE = "orders";

    private static final String DEAD_LETTERS = "DLQ";

    private final EmbeddedActiveMQ server;
    private final String url;

    private CrashBroker(EmbeddedActiveMQ server, String url) {
        this.server = server;
        this.url = url;
    }

    static CrashBroker start() throws Exception {
        String url = "tcp://127.0.0.1:" + freePort();
        EmbeddedActiveMQ server = new EmbeddedActiveMQ();
        server.setConfiguration(new ConfigurationImpl()
                .setPersistenceEnabled(false)
                .setSecurityEnabled(false)
                .setJournalDirectory("target/artemis-crash")
                .addAddressSetting(
                        "#",
                        new AddressSettings()
                                .setDeadLetterAddress(SimpleString.of(DEAD_LETTERS))
                                .setAutoCreateDeadLetterResources(true)
                                // each crash counts a delivery of all that the process had in hand
                                .setMaxDeliveryAttempts(100)
                                .setRedeliveryDelay(100)
                                .setAutoDeleteQueues(false))
                .addAcceptorConfiguration("tcp", url));
        server.start();
        return new CrashBroker(server, url);
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

    /** Messages that are not settled, those in delivery or with a later delivery included. */
    long unsettled() {
        return depth(QUEUE);
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
