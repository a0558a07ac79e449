package dev.idempotency.listener;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ErrorHandler;

// Keeps "later" from the application's error handler: nothing has failed.
final class JmsErrorHandler implements ErrorHandler {

    private static final Logger log = LoggerFactory.getLogger(JmsErrorHandler.class);

    private final @Nullable ErrorHandler delegate;
    private final Logger containerLog;

    JmsErrorHandler(@Nullable ErrorHandler delegate, Class<?> container) {
        this.delegate = delegate;
        this.containerLog = LoggerFactory.getLogger(container);
    }

    @Override
    public void handleError(Throwable error) {
        if (error instanceof JmsLaterException) {
            log.debug("Message given back to the broker", error);
        } else if (delegate != null) {
            delegate.handleError(error);
        } else {
            // What the container says for itself when it has no error handler.
            containerLog.warn("Execution of JMS message listener failed, and no ErrorHandler has been set.", error);
        }
    }
}
