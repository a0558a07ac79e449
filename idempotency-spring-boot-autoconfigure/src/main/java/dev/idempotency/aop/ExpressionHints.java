package dev.idempotency.aop;

import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardTypeLocator;

/**
 * What a native image keeps for an expression: the members that it names, on the types of the arguments, on beans and on
 * types that it names, and on what these members return. Classes that only show at run time are not known here.
 */
final class ExpressionHints {

    private static final Logger log = LoggerFactory.getLogger(ExpressionHints.class);

    private final ReflectionHints hints;
    private final ConfigurableListableBeanFactory beanFactory;
    private final StandardTypeLocator types;
    private final Set<String> names = new HashSet<>();
    private final Set<ResolvableType> roots = new HashSet<>();

    ExpressionHints(ReflectionHints hints, ConfigurableListableBeanFactory beanFactory) {
        this.hints = hints;
        this.beanFactory = beanFactory;
        this.types = new StandardTypeLocator(beanFactory.getBeanClassLoader());
    }

    void register(String text, Method method, Class<?> beanClass) {
        try {
            String resolved = beanFactory.resolveEmbeddedValue(text);
            collect(new SpelExpressionParser()
                    .parseRaw(resolved != null ? resolved : "")
                    .getAST());
        } catch (ParseException | IllegalArgumentException | IllegalStateException ex) {
            // Perhaps a placeholder whose value only the start knows.
            log.debug("No hints for the expression of {}", MethodNames.of(method), ex);
            return;
        }
        roots.add(ResolvableType.forClass(MessageIdExpression.Received.class));
        for (int i = 0; i < method.getParameterCount(); i++) {
            roots.add(ResolvableType.forMethodParameter(method, i, beanClass));
        }
        ReadMembers members = ReadMembers.named(names, hints);
        roots.forEach(members::register);
    }

    private void collect(SpelNode node) {
        if (node instanceof PropertyOrFieldReference property) {
            names.add(property.getName());
        } else if (node instanceof MethodReference call) {
            names.add(call.getName());
        } else if (node instanceof Indexer && node.getChild(0) instanceof StringLiteral literal) {
            names.add(String.valueOf(literal.getLiteralValue().getValue()));
        } else if (node instanceof BeanReference) {
            bean(ExpressionCheck.beanName(node.toStringAST()));
        } else if (node instanceof TypeReference) {
            type(node.getChild(0).toStringAST());
        } else if (node instanceof ConstructorReference) {
            type(node.getChild(0).toStringAST(), MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            collect(node.getChild(i));
        }
    }

    private void bean(String name) {
        Class<?> type = beanFactory.containsBean(name) ? beanFactory.getType(name, false) : null;
        if (type != null) {
            roots.add(ResolvableType.forClass(type));
        }
    }

    private void type(String name, MemberCategory... categories) {
        try {
            Class<?> type = types.findType(name);
            hints.registerType(type, categories);
            roots.add(ResolvableType.forClass(type));
        } catch (EvaluationException ex) {
            log.debug("No hints for type {}", name, ex);
        }
    }
}
