package dev.idempotency.core;

import dev.idempotency.Delivery;
import dev.idempotency.Execution;
import dev.idempotency.MessageDeferredException;
import dev.idempotency.MessageIdResolver;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A handler under guard that is no bean method. */
final class WrappedFunction<T, R> implements Function<T, R> {

    private static final Logger log = LoggerFactory.getLogger(IdempotencyTemplate.class);

    private final IdempotencyTemplate template;
    private final String consumer;
    private final MessageIdResolver resolver;
    private final Function<? super T, ? extends @Nullable R> handler;

    WrappedFunction(
            IdempotencyTemplate template,
            String consumer,
            MessageIdResolver resolver,
            Function<? super T, ? extends @Nullable R> handler) {
        this.template = template;
        this.consumer = consumer;
        this.resolver = resolver;
        this.handler = handler;
        template.announce(consumer);
    }

    // A function may return null, which its type cannot say.
    @SuppressWarnings("NullAway")
    @Override
    public R apply(T message) {
        return handle(message);
    }

    @Nullable
    R handle(T message) {
        Delivery bound = Delivery.current();
        if (bound != null && bound.deferral() != null) {
            return null;
        }
        Delivery delivery = taken(bound);
        String messageId = messageId(delivery, message);
        try {
            Execution<R> execution = template.execute(consumer, messageId, () -> handler.apply(message));
            if (!execution.wasRun() && delivery != null) {
                delivery.settle();
            }
            return execution.value();
        } catch (MessageDeferredException ex) {
            if (delivery == null) {
                throw ex;
            }
            delivery.later(ex);
            return null;
        } catch (Throwable ex) {
            if (delivery != null) {
                delivery.putBack();
            }
            throw WrappedFunction.<RuntimeException>sameInstance(ex);
        }
    }

    /** Returns the message in the container's hands, unless the container calls a method for it, which this is not. */
    private static @Nullable Delivery taken(@Nullable Delivery delivery) {
        return delivery != null && delivery.listener() == null && delivery.take() ? delivery : null;
    }

    // Whatever is wrong with a message or a resolver must not stop the consumer: it counts as no id.
    private @Nullable String messageId(@Nullable Delivery delivery, T message) {
        try {
            return delivery != null
                    ? resolver.resolve(delivery.body(), delivery.headers())
                    : resolver.resolve(message, Map.of());
        } catch (Throwable ex) {
            if (ex instanceof VirtualMachineError error && !(ex instanceof StackOverflowError)) {
                throw error;
            }
            log.warn(
                    "Message id cannot be read for consumer {}. It counts as missing. Fix the resolver.", consumer, ex);
            return null;
        }
    }

    /** Lets any throwable pass as it is: the handler may be written in a language without checked exceptions. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Throwable> X sameInstance(Throwable ex) throws X {
        throw (X) ex;
    }
}
