package dev.idempotency.aop;

import dev.idempotency.message.MessageIds;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.MapAccessor;

/** The id of a message by a SpEL expression, parsed once per method. */
final class MessageIdExpression {

    private static final Logger log = LoggerFactory.getLogger(MessageIdExpression.class);
    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private static final MapAccessor MAP_ACCESSOR = new MapAccessor();

    private final SpelExpression expression;
    private final Method method;
    private final BeanFactoryResolver beans;
    private final String consumer;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * Parses the expression.
     *
     * @throws IllegalArgumentException if it is none, or can never give an id that tells messages apart
     */
    MessageIdExpression(String text, Method method, String consumer, BeanFactory beanFactory) {
        try {
            this.expression = PARSER.parseRaw(text);
        } catch (ParseException | IllegalStateException ex) {
            throw new IllegalArgumentException(
                    "Attribute 'messageId': \"" + text + "\". It is no SpEL expression: " + ex.getMessage()
                            + ". Correct it.",
                    ex);
        }
        this.method = method;
        this.consumer = consumer;
        this.beans = new BeanFactoryResolver(beanFactory);
        String fault = new ExpressionCheck(method, NAMES.getParameterNames(method), beanFactory).fault(expression);
        if (fault != null) {
            throw new IllegalArgumentException("Attribute 'messageId': \"" + text + "\". " + fault);
        }
    }

    /** Returns the id; null if there is no usable one. Throws what the evaluation throws. */
    @Nullable
    String evaluate(@Nullable Object[] arguments, Received received) {
        MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(received, method, arguments, NAMES);
        context.addPropertyAccessor(MAP_ACCESSOR);
        context.setBeanResolver(beans);
        Object value = expression.getValue(context);
        if (value instanceof Collection<?> parts) {
            return fromParts(new ArrayList<>(parts));
        }
        if (value instanceof Object[] parts) {
            return fromParts(Arrays.asList(parts));
        }
        String id = MessageIds.fromValue(value);
        if (id == null) {
            warnOfType(value);
        }
        return id;
    }

    private @Nullable String fromParts(List<?> parts) {
        String id = MessageIds.fromParts(parts);
        if (id == null) {
            parts.forEach(this::warnOfType);
        }
        return id;
    }

    // Null or blank is a message without an id, a value of another type most likely an expression that never gives one.
    private void warnOfType(@Nullable Object value) {
        if (value == null || value instanceof CharSequence || MessageIds.fromValue(value) != null) {
            return;
        }
        String type = value.getClass().getTypeName();
        String message = "No message id for consumer " + consumer + ": 'messageId' of " + MethodNames.of(method)
                + " gives a " + type + ". Only text, integral numbers, UUIDs, bytes of UTF-8, and lists of these, are"
                + " ids. The message counts as one without an id, as will all others like it. Let 'messageId' give one"
                + " of these.";
        if (warned.compareAndSet(false, true)) {
            log.warn(message);
        } else {
            log.debug(message);
        }
    }

    /** What an expression sees of the message: the root object, so that {@code body} and {@code headers} work. */
    public static final class Received {

        private final @Nullable Object body;
        private final Map<String, ?> headers;

        Received(@Nullable Object body, Map<String, ?> headers) {
            this.body = body;
            this.headers = headers;
        }

        /** Returns the body as received; null if no container delivered it. */
        public @Nullable Object getBody() {
            return body;
        }

        /** Returns the headers as received; empty if no container delivered them. */
        public Map<String, ?> getHeaders() {
            return headers;
        }
    }
}
