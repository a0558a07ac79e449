package dev.idempotency.aop;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;

/**
 * Finds what would make an expression fail, or be the same, for every message: a name that nothing has; and what is no
 * id of a message. At run time that would be messages that are handled unguarded, or skipped, which nobody notices.
 */
final class ExpressionCheck {

    private static final List<String> ROOT = List.of("body", "headers");

    private final Set<String> variables = new TreeSet<>();
    private final boolean namesAreKnown;
    private final BeanFactory beanFactory;
    private final GeneratedIds generatedIds;
    private final MemberCheck members;
    private boolean readsMessage;

    ExpressionCheck(Method method, String @Nullable [] parameterNames, BeanFactory beanFactory) {
        variables.addAll(List.of("root", "this"));
        for (int i = 0; i < method.getParameterCount(); i++) {
            variables.add("p" + i);
            variables.add("a" + i);
        }
        namesAreKnown = parameterNames != null;
        if (parameterNames != null) {
            variables.addAll(Arrays.asList(parameterNames));
        }
        this.beanFactory = beanFactory;
        this.generatedIds = new GeneratedIds(method, parameterNames);
        this.members = new MemberCheck(method, parameterNames);
    }

    /** Returns the cause and what to do; null if there is none. */
    @Nullable
    String fault(SpelExpression expression) {
        SpelNode root = expression.getAST();
        String fault = visit(root, true);
        if (fault == null) {
            fault = generatedIds.fault(root);
        }
        if (fault == null) {
            fault = members.fault(root);
        }
        if (fault == null && !readsMessage) {
            return "It is the same for every message, so that only the first would be handled. Read an argument, 'body'"
                    + " or 'headers'.";
        }
        return fault;
    }

    /** Visits a node and all below it; at the root a bare name is one of the received message. */
    private @Nullable String visit(SpelNode node, boolean atRoot) {
        String fault = check(node, atRoot);
        boolean compound = node instanceof CompoundExpression;
        boolean rootBelow =
                atRoot && !(node instanceof Indexer) && !(node instanceof Projection) && !(node instanceof Selection);
        for (int i = 0; fault == null && i < node.getChildCount(); i++) {
            SpelNode child = node.getChild(i);
            // After the first dot a name is one of what stands before it, but the arguments of a method are not.
            boolean named = compound && i > 0 && child instanceof PropertyOrFieldReference;
            fault = visit(child, rootBelow && !named);
        }
        return fault;
    }

    private @Nullable String check(SpelNode node, boolean atRoot) {
        if (node instanceof VariableReference) {
            readsMessage = true;
            return variableFault(node.toStringAST());
        }
        if (node instanceof FunctionReference) {
            return "There is no function " + node.toStringAST() + ". Call a method of a bean, as in @bean.method(#p0).";
        }
        if (node instanceof BeanReference) {
            readsMessage = true; // who knows
            return beanFault(node.toStringAST());
        }
        if (node instanceof MethodReference) {
            readsMessage = true; // who knows
        }
        if (node instanceof PropertyOrFieldReference && atRoot) {
            readsMessage = true;
            String name = node.toStringAST();
            return ROOT.contains(name)
                    ? null
                    : "The received message has no '" + name + "', only 'body' and 'headers'. For an argument write #"
                            + name + ".";
        }
        return null;
    }

    private @Nullable String variableFault(String reference) {
        if (variables.contains(reference.substring(1))) {
            return null;
        }
        if (ROOT.contains(reference.substring(1))) {
            return "What was received is no argument: " + reference.substring(1) + " is read without '#'. Write "
                    + reference.substring(1) + ".";
        }
        return "No parameter has the name " + reference + ". "
                + (namesAreKnown
                        ? "Known are " + variables + "."
                        : "Parameter names are not in the class file: compile with '-parameters', or write #p0, #p1.");
    }

    static String beanName(String reference) {
        return reference.replaceFirst("^[@&]+", "").replace("'", "");
    }

    private @Nullable String beanFault(String reference) {
        return beanFactory.containsBean(beanName(reference))
                ? null
                : "There is no bean " + reference + ". Declare it, or correct the name.";
    }
}
