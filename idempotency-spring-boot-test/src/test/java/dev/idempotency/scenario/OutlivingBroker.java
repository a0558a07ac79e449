package dev.idempotency.scenario;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/** A broker that goes on when an application stops. */
final class OutlivingBroker implements AutoCloseable {

    private static final AtomicInteger IDS = new AtomicInteger(5000);

    private final EmbeddedActiveMQ server;
    private final String url;

    private OutlivingBroker(EmbeddedActiveMQ server, String url) {
        this.server = server;
        this.url = url;
    }

    static OutlivingBroker start() throws Exception {
        String url = "vm://" + IDS.incrementAndGet();
        EmbeddedActiveMQ server = new EmbeddedActiveMQ();
        server.setConfiguration(new ConfigurationImpl()
                .setPersistenceEnabled(false)
                .setSecurityEnabled(false)
                .setJournalDirectory("target/artemis-outliving")
                .addAddressSetting(
                        "#",
                        new AddressSettings()
                                .setDeadLetterAddress(SimpleString.of(Broker.DEAD_LETTERS))
                                .setAutoCreateDeadLetterResources(true))
                .addAcceptorConfiguration("vm", url));
        server.start();
        return new OutlivingBroker(server, url);
    }

    /** Without prefetch: else a copy may lie in the buffer of the very consumer that handles the first. */
    String url() {
        return url + "?consumerWindowSize=0";
    }

    EmbeddedActiveMQ server() {
        return server;
    }

    long depth(String queue) {
        return Broker.depth(server, queue);
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
