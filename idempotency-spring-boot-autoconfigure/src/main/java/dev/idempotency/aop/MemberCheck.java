package dev.idempotency.aop;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;

/**
 * Finds properties and methods that the class of a parameter does not have. Only a record or another final class can
 * tell, since an argument of any other may be of a subclass that has them.
 */
final class MemberCheck {

    private static final Properties PROPERTIES = new Properties();

    private final Map<String, Class<?>> parameters = new HashMap<>();

    MemberCheck(Method method, String @Nullable [] parameterNames) {
        Class<?>[] types = method.getParameterTypes();
        for (int i = 0; i < types.length; i++) {
            parameters.put("p" + i, types[i]);
            parameters.put("a" + i, types[i]);
            if (parameterNames != null) {
                parameters.put(parameterNames[i], types[i]);
            }
        }
    }

    /** Returns the cause and what to do; null if there is none. */
    @Nullable
    String fault(SpelNode node) {
        String fault = node instanceof CompoundExpression ? chainFault(node) : null;
        for (int i = 0; fault == null && i < node.getChildCount(); i++) {
            fault = fault(node.getChild(i));
        }
        return fault;
    }

    private @Nullable String chainFault(SpelNode chain) {
        Class<?> type = chain.getChild(0) instanceof VariableReference variable
                ? parameters.get(variable.toStringAST().substring(1))
                : null;
        for (int i = 1; type != null && isKnown(type) && i < chain.getChildCount(); i++) {
            SpelNode step = chain.getChild(i);
            if (step instanceof PropertyOrFieldReference property) {
                if (!PROPERTIES.has(property.getName(), type)) {
                    return fault(type, "property '" + property.getName() + "'");
                }
                type = PROPERTIES.typeOf(property.getName(), type);
            } else if (step instanceof MethodReference call) {
                List<Method> named = methods(call.getName(), type);
                if (named.isEmpty()) {
                    return fault(type, "method '" + call.getName() + "'");
                }
                type = named.size() == 1 ? named.get(0).getReturnType() : null;
            } else {
                type = null;
            }
        }
        return null;
    }

    // The length of an array, and the keys of a map, are no members; the null-safe operator looks into an Optional.
    private static boolean isKnown(Class<?> type) {
        return Modifier.isFinal(type.getModifiers())
                && !type.isArray()
                && !type.isPrimitive()
                && type != Optional.class
                && !Map.class.isAssignableFrom(type);
    }

    private static List<Method> methods(String name, Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getName().equals(name))
                .toList();
    }

    private static String fault(Class<?> type, String what) {
        RecordComponent[] components = type.getRecordComponents();
        String known = components != null
                ? ", only "
                        + Arrays.stream(components)
                                .map(RecordComponent::getName)
                                .toList()
                : "";
        return type.getSimpleName() + " has no " + what + known + ". Correct the name.";
    }

    /** Looks properties up as the evaluation does, by a class instead of an object. */
    private static final class Properties extends ReflectivePropertyAccessor {

        boolean has(String name, Class<?> type) {
            return findGetterForProperty(name, type, false) != null || findField(name, type, false) != null;
        }

        @Nullable
        Class<?> typeOf(String name, Class<?> type) {
            Method getter = findGetterForProperty(name, type, false);
            if (getter != null) {
                return getter.getReturnType();
            }
            Field field = findField(name, type, false);
            return field != null ? field.getType() : null;
        }
    }
}
