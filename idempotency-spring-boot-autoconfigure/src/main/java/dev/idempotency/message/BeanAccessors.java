package dev.idempotency.message;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Reads records and beans by their public accessors, {@code name()} or {@code getName()}. A class that has none, hides
 * them, or whose accessor throws, has no such member.
 */
final class BeanAccessors {

    private static final Logger log = LoggerFactory.getLogger(BeanAccessors.class);

    // A class holds what was found on it, and that is nothing but JDK types and its own methods: no class loader, of
    // the application or of this library, is kept from being unloaded.
    private static final ClassValue<Map<String, Optional<Method>>> ACCESSORS = new ClassValue<>() {
        @Override
        protected Map<String, Optional<Method>> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    private BeanAccessors() {}

    static @Nullable Object member(Object bean, String name) {
        if (!isBean(bean)) {
            return null;
        }
        Method accessor = ACCESSORS
                .get(bean.getClass())
                .computeIfAbsent(name, key -> find(bean.getClass(), key))
                .orElse(null);
        return accessor == null ? null : invoke(accessor, bean);
    }

    // What the JDK loads has no id of a message, though some of it has methods of the same name.
    private static boolean isBean(Object value) {
        ClassLoader loader = value.getClass().getClassLoader();
        return loader != null
                && loader != ClassLoader.getPlatformClassLoader()
                && !(value instanceof CharSequence)
                && !(value instanceof Number)
                && !(value instanceof Collection<?>)
                && !(value instanceof Map<?, ?>)
                && !(value instanceof Enum<?>)
                && !value.getClass().isArray();
    }

    private static Optional<Method> find(Class<?> type, String name) {
        Optional<Method> accessor = find(type, name, "");
        return accessor.isPresent() ? accessor : find(type, StringUtils.capitalize(name), "get");
    }

    private static Optional<Method> find(Class<?> type, String name, String prefix) {
        if (name.isEmpty()) {
            return Optional.empty();
        }
        try {
            Method method = type.getMethod(prefix + name);
            if (Modifier.isStatic(method.getModifiers())
                    || method.getReturnType() == void.class
                    || method.getDeclaringClass() == Object.class) {
                return Optional.empty();
            }
            Method accessible = ClassUtils.getPubliclyAccessibleMethodIfPossible(method, type);
            return accessible.trySetAccessible() ? Optional.of(accessible) : Optional.empty();
        } catch (NoSuchMethodException | LinkageError ex) {
            // A linkage error comes from a signature that names a class which is absent from the application.
            return Optional.empty();
        }
    }

    private static @Nullable Object invoke(Method accessor, Object bean) {
        try {
            return accessor.invoke(bean);
        } catch (IllegalAccessException | InvocationTargetException ex) {
            Throwable cause = ex.getCause() == null ? ex : ex.getCause();
            // Only the kind of the cause: its message may quote the body.
            log.debug(
                    "No message id read from {}#{}: the accessor threw {}.",
                    bean.getClass().getName(),
                    accessor.getName(),
                    cause.getClass().getName());
            return null;
        }
    }
}
