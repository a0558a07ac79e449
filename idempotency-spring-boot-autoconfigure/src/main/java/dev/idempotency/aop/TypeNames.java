package dev.idempotency.aop;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Types that are known by name, since their library may be absent. */
final class TypeNames {

    private TypeNames() {}

    /** Returns whether the type, or any that it extends or implements, has one of the names. */
    static boolean isAny(@Nullable Class<?> type, Set<String> names) {
        if (type == null) {
            return false;
        }
        if (names.contains(type.getName()) || isAny(type.getSuperclass(), names)) {
            return true;
        }
        for (Class<?> parent : type.getInterfaces()) {
            if (isAny(parent, names)) {
                return true;
            }
        }
        return false;
    }
}
