package dev.idempotency.aop;

import dev.idempotency.Delivery;
import dev.idempotency.Execution;
import dev.idempotency.MessageDeferredException;
import dev.idempotency.MessageIdResolver;
import dev.idempotency.aop.MethodTemplates.MethodTemplate;
import dev.idempotency.core.IdempotencyTemplate;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/** One method under guard: all that can be known before its first message. */
final class GuardedMethod {

    private static final Logger log = LoggerFactory.getLogger(GuardedMethod.class);

    private final MethodSpec spec;
    private final Class<?> beanClass;
    private final ResultType resultType;
    private final IdempotencyTemplate template;
    private final ModeChoice choice;
    private final MessageIdResolver resolver;
    private final @Nullable MessageIdExpression expression;
    private final MessageArguments arguments;
    private final AtomicBoolean warned = new AtomicBoolean();
    private final ConcurrentMap<Method, Boolean> listeners = new ConcurrentHashMap<>();

    GuardedMethod(
            MethodSpec spec,
            Class<?> beanClass,
            ResultType resultType,
            MethodTemplate chosen,
            MessageIdResolver resolver,
            @Nullable MessageIdExpression expression) {
        this.spec = spec;
        this.beanClass = beanClass;
        this.resultType = resultType;
        this.template = chosen.template();
        this.choice = chosen.choice();
        this.resolver = resolver;
        this.expression = expression;
        this.arguments = new MessageArguments(spec.method());
    }

    MethodSpec spec() {
        return spec;
    }

    boolean isAsynchronous() {
        return resultType.isAsynchronous();
    }

    /** Returns whether the guard rolls back what the method's own rules would commit. */
    boolean rollsBackMore() {
        return choice.rollsBackMore();
    }

    /** For people: what is guarded, how, and why so. */
    @Override
    public String toString() {
        return spec.consumer() + " (" + MethodNames.of(spec.method()) + "): " + choice.mode() + " in store '"
                + template.storeName() + "', " + choice.reason();
    }

    @Nullable
    Object call(MethodInvocation invocation) throws Throwable {
        Delivery bound = bound();
        if (bound != null && isDecided(bound)) {
            return bound.emptyResult(resultType.empty());
        }
        Delivery delivery = bound != null && bound.take() ? bound : null;
        String messageId = messageId(delivery, invocation.getArguments());
        if (delivery == null) {
            Execution<Object> execution = template.execute(spec.consumer(), messageId, invocation::proceed);
            return execution.wasRun() ? execution.value() : resultType.empty();
        }
        try {
            Execution<Object> execution = template.execute(spec.consumer(), messageId, invocation::proceed);
            if (execution.wasRun()) {
                return execution.value();
            }
            delivery.settle();
        } catch (MessageDeferredException ex) {
            delivery.later(ex);
        } catch (Throwable ex) {
            delivery.putBack();
            throw ex;
        }
        return delivery.emptyResult(resultType.empty());
    }

    /** Returns the message in the container's hands, if this method is what the container calls for it. */
    private @Nullable Delivery bound() {
        Delivery delivery = Delivery.current();
        if (delivery == null) {
            return null;
        }
        Method listener = delivery.listener();
        return listener == null || listeners.computeIfAbsent(listener, this::isThis) ? delivery : null;
    }

    // Advice of the application may call again for the same delivery. A deferred one comes again as a whole; a settled
    // one is over, unless this may be a call for another message.
    private static boolean isDecided(Delivery delivery) {
        return delivery.deferral() != null || (delivery.isSettled() && delivery.listener() != null);
    }

    // The container may know the method by its interface, its bridge or its proxy.
    private boolean isThis(Method listener) {
        return ClassUtils.getUserClass(listener.getDeclaringClass()).isAssignableFrom(beanClass)
                && AopUtils.getMostSpecificMethod(listener, beanClass).equals(spec.method());
    }

    // Whatever is wrong with a message, an expression or a resolver must not stop the consumer: it counts as no id.
    private @Nullable String messageId(@Nullable Delivery delivery, @Nullable Object[] args) {
        try {
            return find(delivery, args);
        } catch (Throwable ex) {
            if (ex instanceof VirtualMachineError error && !(ex instanceof StackOverflowError)) {
                throw error;
            }
            warnOnce(ex);
            return null;
        }
    }

    private void warnOnce(Throwable ex) {
        String message = "Message id cannot be read for consumer " + spec.consumer()
                + ". The message counts as one without an id, as will all others like it. Correct 'messageId' of "
                + MethodNames.of(spec.method()) + ", or the message.";
        if (warned.compareAndSet(false, true)) {
            log.warn(message, ex);
        } else {
            log.debug(message, ex);
        }
    }

    private @Nullable String find(@Nullable Delivery delivery, @Nullable Object[] args) {
        Map<String, ?> headers = delivery != null ? delivery.headers() : Map.of();
        Object body = delivery != null ? delivery.body() : null;
        if (expression != null) {
            return expression.evaluate(args, new MessageIdExpression.Received(body, headers));
        }
        // Where the body was not to be had, the handler's own view of it stands in.
        return body != null ? resolver.resolve(body, headers) : arguments.messageId(args, headers, resolver);
    }
}
