package dev.idempotency.listener;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import jakarta.jms.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.slf4j.LoggerFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.artemis.autoconfigure.ArtemisAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jms.autoconfigure.JmsAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.core.MessagePostProcessor;
import org.springframework.jms.listener.AbstractMessageListenerContainer;

/** A Boot application with a broker of its own, what that broker holds, and what was logged since it started. */
final class JmsApplication implements AutoCloseable {

    static final String ORDERS = "orders";

    private final ConfigurableApplicationContext context;
    private final LogEvents events = new LogEvents();

    private JmsApplication(ConfigurableApplicationContext context) {
        this.context = context;
        events.start();
        rootLogger().addAppender(events);
    }

    static JmsApplication start(Class<?>[] configuration, String... properties) {
        Class<?>[] sources = Stream.concat(Stream.of(Base.class), Arrays.stream(configuration))
                .toArray(Class<?>[]::new);
        return new JmsApplication(new SpringApplicationBuilder(sources)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.banner-mode=off",
                        "logging.level.org.apache.activemq.audit=warn",
                        "spring.artemis.mode=embedded",
                        "spring.artemis.embedded.queues=orders,replies",
                        "spring.jms.cache.enabled=false",
                        "spring.jms.listener.receive-timeout=200ms")
                .properties(properties)
                .run());
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    Script script() {
        return bean(Script.class);
    }

    void send(String text) {
        send(text, message -> message);
    }

    void send(String text, MessagePostProcessor processor) {
        bean(JmsTemplate.class).convertAndSend(ORDERS, text, processor);
    }

    JmsListenerEndpointRegistry registry() {
        return bean(JmsListenerEndpointRegistry.class);
    }

    AbstractMessageListenerContainer container() {
        return (AbstractMessageListenerContainer)
                registry().getListenerContainers().iterator().next();
    }

    Queue queue(String name) {
        return bean(EmbeddedActiveMQ.class).getActiveMQServer().locateQueue(SimpleString.of(name));
    }

    /** Messages on the queue, with those in delivery and those scheduled. */
    long depth() {
        return queue(ORDERS).getMessageCount();
    }

    int inDelivery() {
        return queue(ORDERS).getDeliveringCount();
    }

    long deadLetters() {
        return queue("DLQ").getMessageCount();
    }

    List<ILoggingEvent> warnings() {
        return events.events.stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .toList();
    }

    List<String> warningTexts() {
        return warnings().stream()
                .map(event -> event.getLoggerName() + " " + event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    @Override
    public void close() {
        rootLogger().detachAppender(events);
        context.close();
    }

    private static Logger rootLogger() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    private static final class LogEvents extends AppenderBase<ILoggingEvent> {

        private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent event) {
            events.add(event);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({ArtemisAutoConfiguration.class, JmsAutoConfiguration.class})
    static class Base {

        @Bean
        Script script() {
            return new Script();
        }
    }

    /** As the auto-configuration will declare it. */
    @Configuration(proxyBeanMethods = false)
    static class Binding {

        @Bean
        static JmsListenerBinding jmsListenerBinding(Environment environment) {
            return new JmsListenerBinding(
                    environment.getProperty("test.later", JmsLater.class, JmsLater.ROLLBACK),
                    environment.getProperty("test.later-delay", Duration.class, Duration.ofMillis(50)),
                    environment.getProperty("test.max-delay", Duration.class, Duration.ofSeconds(30)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OrderListener {

        private final Script script;

        OrderListener(Script script) {
            this.script = script;
        }

        @JmsListener(id = ORDERS, destination = ORDERS)
        void handle(String payload, Message message) throws Exception {
            script.play(message, payload);
        }
    }

    static Class<?>[] with(Class<?>... configuration) {
        List<Class<?>> all = new ArrayList<>(List.of(Binding.class, OrderListener.class));
        all.addAll(List.of(configuration));
        return all.toArray(Class<?>[]::new);
    }
}
