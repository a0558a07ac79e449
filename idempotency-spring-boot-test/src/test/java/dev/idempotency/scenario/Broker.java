package dev.idempotency.scenario;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.UUID;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jms.core.JmsTemplate;

/** An application with a real broker in it, and what that broker holds. */
final class Broker implements AutoCloseable {

    static final String DEAD_LETTERS = "DLQ";

    private final ConfigurableApplicationContext context;
    private final EmbeddedActiveMQ server;

    private Broker(ConfigurableApplicationContext context, EmbeddedActiveMQ server) {
        this.context = context;
        this.server = server;
    }

    static Broker start(Class<?> configuration, String... properties) {
        ConfigurableApplicationContext context = run(
                configuration,
                properties,
                "spring.artemis.mode=embedded",
                "spring.artemis.embedded.persistent=false",
                "spring.artemis.embedded.data-directory=target/artemis-" + UUID.randomUUID());
        return new Broker(context, context.getBean(EmbeddedActiveMQ.class));
    }

    /** Starts an application beside a broker that outlives it. */
    static Broker start(OutlivingBroker outliving, Class<?> configuration, String... properties) {
        ConfigurableApplicationContext context = run(
                configuration,
                properties,
                "spring.artemis.mode=native",
                "spring.artemis.broker-url=" + outliving.url());
        return new Broker(context, outliving.server());
    }

    private static ConfigurableApplicationContext run(
            Class<?> configuration, String[] properties, String... brokerProperties) {
        return new SpringApplicationBuilder(configuration)
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off", "idempotency.store=in-memory")
                .properties(brokerProperties)
                .properties(properties)
                .run();
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    void sendText(String queue, String body) {
        send(queue, session -> session.createTextMessage(body));
    }

    void send(String queue, MessageMaker message) {
        bean(JmsTemplate.class).send(queue, message::make);
    }

    /** Messages on the queue, those in delivery included. */
    long depth(String queue) {
        return depth(server, queue);
    }

    static long depth(EmbeddedActiveMQ server, String queue) {
        var located = server.getActiveMQServer().locateQueue(SimpleString.of(queue));
        return located != null ? located.getMessageCount() : 0;
    }

    long deadLetters() {
        return depth(DEAD_LETTERS);
    }

    @Override
    public void close() {
        context.close();
    }

    /** Makes one message. */
    interface MessageMaker {
        Message make(Session session) throws JMSException;
    }
}
