package dev.idempotency.aop;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.core.ResolvableType;
import org.springframework.util.StringUtils;

/** Registers public members of a type that are read by reflection, and those of what they return, and so on. */
final class ReadMembers {

    private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

    private final ReflectionHints hints;
    private final Predicate<Class<?>> types;
    private final Predicate<Method> methods;
    private final Predicate<Field> fields;
    private final Set<ResolvableType> visited = new HashSet<>();
    private final Set<Class<?>> registered = new HashSet<>();

    private ReadMembers(
            ReflectionHints hints, Predicate<Class<?>> types, Predicate<Method> methods, Predicate<Field> fields) {
        this.hints = hints;
        this.types = types;
        this.methods = methods;
        this.fields = fields;
    }

    /** All accessors of application types: where in a payload the id is, only the start knows for certain. */
    static ReadMembers ofPayload(ReflectionHints hints) {
        return new ReadMembers(hints, ReadMembers::isNoPartOfTheJdk, ReadMembers::isAccessor, field -> false);
    }

    /** What an expression reaches by one of these names; also on types of the JDK. */
    static ReadMembers named(Set<String> names, ReflectionHints hints) {
        return new ReadMembers(
                hints,
                type -> true,
                method -> names.contains(method.getName()) || names.contains(property(method)),
                field -> names.contains(field.getName()));
    }

    void register(ResolvableType type) {
        if (!visited.add(type)) {
            return;
        }
        Class<?> raw = type.toClass();
        if (raw.isArray()) {
            register(type.getComponentType());
        } else if (raw != Object.class && !raw.isPrimitive() && types.test(raw) && registered.add(raw)) {
            registerMembers(type, raw);
        }
        for (ResolvableType generic : type.getGenerics()) {
            register(generic);
        }
    }

    private void registerMembers(ResolvableType type, Class<?> raw) {
        hints.registerType(raw);
        for (Method method : raw.getMethods()) {
            if (methods.test(method)) {
                hints.registerMethod(method, ExecutableMode.INVOKE);
                register(ResolvableType.forType(method.getGenericReturnType(), type));
            }
        }
        for (Field field : raw.getFields()) {
            if (fields.test(field)) {
                hints.registerField(field);
                register(ResolvableType.forField(field, type));
            }
        }
        if (raw.isSealed()) {
            for (Class<?> permitted : raw.getPermittedSubclasses()) {
                register(ResolvableType.forClass(permitted));
            }
        }
    }

    private static boolean isNoPartOfTheJdk(Class<?> type) {
        return type.getClassLoader() != null && type.getClassLoader() != PLATFORM;
    }

    private static boolean isAccessor(Method method) {
        return method.getParameterCount() == 0
                && method.getReturnType() != void.class
                && !Modifier.isStatic(method.getModifiers())
                && method.getDeclaringClass() != Object.class;
    }

    private static String property(Method method) {
        String name = method.getName();
        int prefix = name.startsWith("get") ? 3 : name.startsWith("is") ? 2 : 0;
        return prefix > 0 ? StringUtils.uncapitalizeAsProperty(name.substring(prefix)) : name;
    }
}
