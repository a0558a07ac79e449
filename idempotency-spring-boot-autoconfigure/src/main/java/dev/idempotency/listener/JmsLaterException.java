package dev.idempotency.listener;

import dev.idempotency.MessageDeferredException;

// Makes the container roll back. Thrown outside of the listener, so that only the container's error handler sees it.
final class JmsLaterException extends RuntimeException {

    JmsLaterException(MessageDeferredException reason) {
        super(reason.getMessage(), reason, false, false);
    }
}
