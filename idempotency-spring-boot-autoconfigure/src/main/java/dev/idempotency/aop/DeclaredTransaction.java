package dev.idempotency.aop;

import dev.idempotency.TransactionSettings;
import dev.idempotency.core.IdempotencyTemplateBuilder;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.interceptor.NoRollbackRuleAttribute;
import org.springframework.transaction.interceptor.RollbackRuleAttribute;
import org.springframework.transaction.interceptor.RuleBasedTransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.util.StringUtils;

/**
 * The transaction that a guarded method declares for itself, if any: one on the store's own resource is shared by the
 * mark. All that needs Spring's transactions, which may be absent.
 */
final class DeclaredTransaction {

    private static final Set<Integer> OUTSIDE = Set.of(
            TransactionDefinition.PROPAGATION_REQUIRES_NEW,
            TransactionDefinition.PROPAGATION_NOT_SUPPORTED,
            TransactionDefinition.PROPAGATION_NEVER);

    private DeclaredTransaction() {}

    /** Applies what the method declares, as far as it can be shared, and returns it. */
    static TransactionDeclaration applyTo(
            IdempotencyTemplateBuilder template, Method method, Class<?> beanClass, BeanFactory beans) {
        // Without this bean nothing begins a transaction, whatever is declared.
        TransactionAttributeSource source =
                beans.getBeanProvider(TransactionAttributeSource.class).getIfUnique();
        TransactionAttribute declared = source != null ? source.getTransactionAttribute(method, beanClass) : null;
        if (declared == null) {
            return TransactionDeclaration.NONE;
        }
        int propagation = declared.getPropagationBehavior();
        // Where one must be open already, the guard joins that one, and must not begin it if it is missing.
        if (propagation == TransactionDefinition.PROPAGATION_MANDATORY) {
            return TransactionDeclaration.inside("insists on a transaction that is open at its call");
        }
        if (propagation != TransactionDefinition.PROPAGATION_REQUIRED) {
            String words = "declares a transaction of another propagation than REQUIRED";
            return OUTSIDE.contains(propagation)
                    ? TransactionDeclaration.outside(words)
                    : TransactionDeclaration.inside(words);
        }
        if (declared.isReadOnly()) {
            return TransactionDeclaration.outside("declares a transaction that is read-only");
        }
        TransactionManager manager = manager(declared, beanClass, beans);
        if (manager == null) {
            return TransactionDeclaration.inside("declares a transaction whose manager is not known");
        }
        boolean[] owner = {true};
        template.handlerTransaction(
                settings(declared), resource -> owner[0] = TransactionOwner.owns(manager, resource));
        String words = "declares a transaction on '" + nameOf(manager, beans) + "'";
        return owner[0]
                ? new TransactionDeclaration(words, false, commitsFailures(declared, method))
                : TransactionDeclaration.outside(words + ", which does not own the store's resource");
    }

    // By its rules; or, where it has none, by Spring's own for exceptions that a method has to declare.
    private static boolean commitsFailures(TransactionAttribute declared, Method method) {
        List<RollbackRuleAttribute> rules =
                declared instanceof RuleBasedTransactionAttribute ruled ? ruled.getRollbackRules() : List.of();
        return rules.stream().anyMatch(NoRollbackRuleAttribute.class::isInstance)
                || (rules.isEmpty()
                        && Arrays.stream(method.getExceptionTypes()).anyMatch(DeclaredTransaction::isChecked));
    }

    private static boolean isChecked(Class<?> type) {
        return !RuntimeException.class.isAssignableFrom(type) && !Error.class.isAssignableFrom(type);
    }

    private static String nameOf(TransactionManager manager, BeanFactory beans) {
        if (beans instanceof ConfigurableListableBeanFactory factory) {
            for (String name : factory.getBeanNamesForType(TransactionManager.class, true, false)) {
                if (factory.getSingleton(name) == manager) {
                    return name;
                }
            }
        }
        return manager.getClass().getSimpleName();
    }

    private static TransactionSettings settings(TransactionAttribute declared) {
        int isolation = declared.getIsolationLevel();
        int seconds = declared.getTimeout();
        return new TransactionSettings(
                isolation == TransactionDefinition.ISOLATION_DEFAULT ? null : isolation,
                seconds > 0 ? Duration.ofSeconds(seconds) : null);
    }

    /** Returns the manager as Spring's own advice determines it; null if that would fail. */
    private static @Nullable TransactionManager manager(
            TransactionAttribute declared, Class<?> beanClass, BeanFactory beans) {
        String qualifier = declared.getQualifier();
        if (StringUtils.hasText(qualifier)) {
            return qualified(qualifier, beans);
        }
        String ofType = BeanFactoryAnnotationUtils.getQualifierValue(beanClass);
        TransactionManager chosen = StringUtils.hasText(ofType) ? qualified(ofType, beans) : null;
        return chosen != null ? chosen : configured(beans);
    }

    private static @Nullable TransactionManager qualified(String qualifier, BeanFactory beans) {
        try {
            return BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, TransactionManager.class, qualifier);
        } catch (NoSuchBeanDefinitionException ex) {
            return null;
        }
    }

    private static @Nullable TransactionManager configured(BeanFactory beans) {
        TransactionInterceptor advice =
                beans.getBeanProvider(TransactionInterceptor.class).getIfUnique();
        TransactionManager configured = advice != null ? advice.getTransactionManager() : null;
        return configured != null
                ? configured
                : beans.getBeanProvider(TransactionManager.class).getIfUnique();
    }
}
