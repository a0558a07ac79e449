package dev.idempotency.aop;

import dev.idempotency.IdempotencyMode;
import dev.idempotency.Idempotent;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringValueResolver;

/**
 * The annotation of one method, with its placeholders resolved.
 *
 * @param method what is called in the end, be the annotation there or on what it overrides
 */
record MethodSpec(
        Method method,
        String consumer,
        @Nullable String messageId,
        IdempotencyMode mode,
        @Nullable String store,
        @Nullable Duration lease) {

    /** Throws IllegalArgumentException if a placeholder or a value cannot be resolved. */
    static MethodSpec of(Method annotated, Method method, Class<?> beanClass, StringValueResolver values) {
        Idempotent annotation = IdempotentAnnotations.get(annotated);
        String consumer = resolve("consumer", annotation.consumer(), values);
        String lease = resolve("lease", annotation.lease(), values);
        return new MethodSpec(
                method,
                consumer != null ? consumer : defaultConsumer(method, beanClass),
                resolve("messageId", annotation.messageId(), values),
                annotation.mode(),
                resolve("store", annotation.store(), values),
                lease != null ? positive(lease) : null);
    }

    private static String defaultConsumer(Method method, Class<?> beanClass) {
        if (beanClass.isHidden() || beanClass.isAnonymousClass() || Proxy.isProxyClass(beanClass)) {
            throw new IllegalArgumentException("Attribute 'consumer' is not set, and " + beanClass.getName()
                    + " has no name that outlives this process: after a restart every message would be new. Set it.");
        }
        return beanClass.getSimpleName() + "." + method.getName();
    }

    private static @Nullable String resolve(String attribute, String text, StringValueResolver values) {
        try {
            String resolved = values.resolveStringValue(text);
            return resolved == null || resolved.isBlank() ? null : resolved;
        } catch (RuntimeException ex) {
            throw new IllegalArgumentException(
                    "Attribute '" + attribute + "': \"" + text + "\". " + ex.getMessage()
                            + ". Set the property, or correct the attribute.",
                    ex);
        }
    }

    private static Duration positive(String text) {
        try {
            Duration lease = DurationFormatterUtils.detectAndParse(text);
            if (!lease.isZero() && !lease.isNegative()) {
                return lease;
            }
        } catch (IllegalArgumentException | ArithmeticException ex) {
            throw invalidLease(text, ex);
        }
        throw invalidLease(text, null);
    }

    private static IllegalArgumentException invalidLease(String text, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "Attribute 'lease': \"" + text + "\". It must be a positive duration. Set it to one such as '30s'.",
                cause);
    }
}
