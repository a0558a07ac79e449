package dev.idempotency.listener;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.api.jms.ActiveMQJMSConstants;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jms.config.AbstractJmsListenerContainerFactory;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.config.SimpleJmsListenerContainerFactory;
import org.springframework.jms.connection.JmsTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.ErrorHandler;

/** The ways in which a container can acknowledge what it has received. */
enum JmsMode {
    TRANSACTED(true, null, true),
    JMS_TRANSACTION_MANAGER(null, null, true),
    OTHER_TRANSACTION_MANAGER(null, null, true),
    CLIENT(false, Session.CLIENT_ACKNOWLEDGE, true),
    INDIVIDUAL(false, ActiveMQJMSConstants.INDIVIDUAL_ACKNOWLEDGE, true),
    CLIENT_BY_HANDLER(false, Session.CLIENT_ACKNOWLEDGE, false),
    INDIVIDUAL_BY_HANDLER(false, ActiveMQJMSConstants.INDIVIDUAL_ACKNOWLEDGE, false),
    AUTO(false, Session.AUTO_ACKNOWLEDGE, true),
    DUPS_OK(false, Session.DUPS_OK_ACKNOWLEDGE, true),
    SIMPLE_TRANSACTED(true, null, true),
    SIMPLE_CLIENT(false, Session.CLIENT_ACKNOWLEDGE, true),
    SIMPLE_INDIVIDUAL(false, ActiveMQJMSConstants.INDIVIDUAL_ACKNOWLEDGE, true),
    SIMPLE_AUTO(false, Session.AUTO_ACKNOWLEDGE, true);

    private final Boolean transacted;
    private final Integer acknowledgeMode;
    private final boolean acknowledgeAfterListener;

    JmsMode(Boolean transacted, Integer acknowledgeMode, boolean acknowledgeAfterListener) {
        this.transacted = transacted;
        this.acknowledgeMode = acknowledgeMode;
        this.acknowledgeAfterListener = acknowledgeAfterListener;
    }

    String property() {
        return "test.mode=" + name();
    }

    AbstractJmsListenerContainerFactory<?> factory(ConnectionFactory connectionFactory) {
        AbstractJmsListenerContainerFactory<?> factory = name().startsWith("SIMPLE")
                ? new SimpleJmsListenerContainerFactory()
                : defaultFactory(connectionFactory);
        factory.setConnectionFactory(connectionFactory);
        factory.setSessionTransacted(transacted);
        factory.setSessionAcknowledgeMode(acknowledgeMode);
        factory.setAcknowledgeAfterListener(acknowledgeAfterListener);
        return factory;
    }

    private DefaultJmsListenerContainerFactory defaultFactory(ConnectionFactory connectionFactory) {
        DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
        factory.setReceiveTimeout(200L);
        PlatformTransactionManager transactionManager = switch (this) {
            case JMS_TRANSACTION_MANAGER -> new JmsTransactionManager(connectionFactory);
            case OTHER_TRANSACTION_MANAGER ->
                new DataSourceTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:" + name()));
            default -> null;
        };
        factory.setTransactionManager(transactionManager);
        return factory;
    }

    /** Keeps what it is told. */
    static final class RecordingErrorHandler implements ErrorHandler {

        private final List<Throwable> errors = new java.util.concurrent.CopyOnWriteArrayList<>();

        @Override
        public void handleError(Throwable error) {
            errors.add(error);
        }

        List<Throwable> errors() {
            return new ArrayList<>(errors);
        }
    }

    /** The application's own container factory, in the mode of the property, with its own error handler. */
    @Configuration(proxyBeanMethods = false)
    static class OwnFactory {

        @Bean
        RecordingErrorHandler errorHandler() {
            return new RecordingErrorHandler();
        }

        @Bean
        AbstractJmsListenerContainerFactory<?> jmsListenerContainerFactory(
                ConnectionFactory connectionFactory, ErrorHandler errorHandler, Environment environment) {
            AbstractJmsListenerContainerFactory<?> factory = environment
                    .getProperty("test.mode", JmsMode.class, TRANSACTED)
                    .factory(connectionFactory);
            factory.setErrorHandler(errorHandler);
            return factory;
        }
    }
}
