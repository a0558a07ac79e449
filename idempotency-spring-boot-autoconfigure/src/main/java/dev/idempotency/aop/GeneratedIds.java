package dev.idempotency.aop;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedMethod;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.util.StringUtils;

/**
 * Finds what an expression reads that can never tell a message from another, or its copy from it. Names that only a
 * condition reads are no part of the id; what is made anew changes even that.
 */
final class GeneratedIds {

    // Of a type only: the same names on a payload or a bean may mean anything.
    private static final Set<String> CLOCKS = Set.of("now", "currentTimeMillis", "nanoTime", "identityHashCode");
    private static final Set<String> NEW_OBJECTS = Set.of("Date", "Object", "Random", "SecureRandom");

    // What takes a name and returns the value of that name, besides getters.
    private static final Set<String> READERS =
            Set.of("path", "at", "required", "requiredAt", "findValue", "findPath", "lastHeader");

    private final Map<String, Variable> variables = new HashMap<>();

    GeneratedIds(Method method, String @Nullable [] parameterNames) {
        // Sees what the interface declares of its parameters, as the listener adapters do.
        for (MethodParameter parameter : new AnnotatedMethod(method).getMethodParameters()) {
            int index = parameter.getParameterIndex();
            String name = parameterNames != null ? parameterNames[index] : "";
            String header = IdOrigin.header(parameter);
            Variable variable = header == null
                    ? new Variable(name, IdOrigin.OTHER, IdOrigin.of(parameter))
                    : new Variable(header.isEmpty() ? name : header, IdOrigin.SPRING_HEADERS, IdOrigin.OTHER);
            variables.put("p" + index, variable);
            variables.put("a" + index, variable);
            variables.put(name, variable);
        }
        Variable received = new Variable("", IdOrigin.OTHER, IdOrigin.RECEIVED);
        variables.put("root", received);
        variables.put("this", received);
    }

    /** Returns the cause and what to do; null if there is none. */
    @Nullable
    String fault(SpelNode node) {
        String fault = madeAnew(node);
        return fault != null ? fault : unfit(node);
    }

    private static @Nullable String madeAnew(SpelNode node) {
        String fault = null;
        List<SpelNode> children = children(node);
        if (node instanceof ConstructorReference
                && children.size() == 1
                && NEW_OBJECTS.contains(type(children.get(0)))) {
            fault = isNew(node.toStringAST());
        } else if (node instanceof MethodReference && node.toStringAST().equals("hashCode()")) {
            fault = "Different messages may have the same hashCode(), so that one of them would be skipped. Name the id"
                    + " of the message itself.";
        }
        for (int i = 0; fault == null && i < children.size(); i++) {
            boolean ofType = i > 0 && children.get(i - 1) instanceof TypeReference;
            if (ofType && children.get(i) instanceof MethodReference call) {
                fault = isMaker(type(children.get(i - 1)), call.getName())
                        ? isNew(children.get(i - 1).toStringAST() + "." + call.toStringAST())
                        : null;
            }
            fault = fault == null ? madeAnew(children.get(i)) : fault;
        }
        return fault;
    }

    private static boolean isMaker(String type, String method) {
        return CLOCKS.contains(method)
                || method.startsWith("random")
                || type.contains("Random")
                || type.equals("Clock");
    }

    private static String isNew(String what) {
        return what + " is new for each delivery, so that no duplicate would be found. Name an id that the sender has"
                + " set.";
    }

    // Of T(java.util.UUID) as of java.util.UUID the last name.
    private static String type(SpelNode node) {
        String text = node.toStringAST().replaceAll("[()\\[\\]]", "");
        return text.substring(text.lastIndexOf('.') + 1);
    }

    private @Nullable String unfit(SpelNode node) {
        List<SpelNode> steps = node instanceof CompoundExpression ? children(node) : List.of(node);
        IdOrigin origin = IdOrigin.RECEIVED;
        for (SpelNode step : steps) {
            Variable variable = step instanceof VariableReference ? variable(step) : null;
            String name = variable != null ? variable.name() : name(step);
            String fault = (variable != null ? variable.origin() : origin).fault(name);
            for (SpelNode part : parts(step)) {
                fault = fault == null ? unfit(part) : fault;
            }
            if (fault != null) {
                return fault;
            }
            origin = variable != null ? variable.content() : origin.after(name);
        }
        return null;
    }

    private Variable variable(SpelNode node) {
        String name = node.toStringAST().substring(1);
        return variables.getOrDefault(name, new Variable(name, IdOrigin.OTHER, IdOrigin.OTHER));
    }

    /** Returns the name that a step reads; empty if none. */
    private static String name(SpelNode step) {
        if (step instanceof PropertyOrFieldReference property) {
            return property.getName();
        }
        if (step instanceof Indexer) {
            return key(step.getChild(0));
        }
        if (!(step instanceof MethodReference method)) {
            return "";
        }
        String name = method.getName();
        boolean getter = name.startsWith("get");
        if ((getter || READERS.contains(name)) && method.getChildCount() > 0) {
            String key = key(method.getChild(0));
            return key.substring(key.lastIndexOf('/') + 1); // the last name of a JSON pointer
        }
        return getter && name.length() > 3 ? StringUtils.uncapitalizeAsProperty(name.substring(3)) : name;
    }

    // In brackets a bare name is the key of a map.
    private static String key(SpelNode node) {
        if (node instanceof StringLiteral literal) {
            return String.valueOf(literal.getLiteralValue().getValue());
        }
        return node instanceof PropertyOrFieldReference property ? property.getName() : "";
    }

    /** Returns what else of a step becomes part of the id. */
    private static List<SpelNode> parts(SpelNode step) {
        List<SpelNode> children = children(step);
        if (step instanceof Selection) {
            return List.of();
        }
        return step instanceof Ternary ? children.subList(1, children.size()) : children;
    }

    private static List<SpelNode> children(SpelNode node) {
        List<SpelNode> children = new ArrayList<>();
        for (int i = 0; i < node.getChildCount(); i++) {
            children.add(node.getChild(i));
        }
        return children;
    }

    /**
     * A name with a number sign.
     *
     * @param name what it holds, by the name of the header or of the parameter
     * @param origin where that name belongs
     * @param content where the names after it belong
     */
    private record Variable(String name, IdOrigin origin, IdOrigin content) {}
}
