package dev.idempotency.aop;

import dev.idempotency.message.MessageIds;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private static final MapAccessor MAP_ACCESSOR = new MapAccessor();

    private final SpelExpression expression;
    private final Method method;
    private final BeanFactoryResolver beans;

    /**
     * Parses the expression.
     *
     * @throws IllegalArgumentException if it is none, or can never give an id that tells messages apart
     */
    MessageIdExpression(String text, Method method, BeanFactory beanFactory) {
        try {
            this.expression = PARSER.parseRaw(text);
        } catch (ParseException | IllegalStateException ex) {
            throw new IllegalArgumentException(
                    "Attribute 'messageId': \"" + text + "\". It is no SpEL expression: " + ex.getMessage()
                            + ". Correct it.",
                    ex);
        }
        this.method = method;
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
            return MessageIds.fromParts(parts);
        }
        if (value instanceof Object[] parts) {
            return MessageIds.fromParts(Arrays.asList(parts));
        }
        return MessageIds.fromValue(value);
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
