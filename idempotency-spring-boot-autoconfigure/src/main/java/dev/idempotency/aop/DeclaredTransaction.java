package dev.idempotency.aop;

import dev.idempotency.TransactionSettings;
import dev.idempotency.core.IdempotencyTemplateBuilder;
import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.util.StringUtils;

/**
 * The transaction that a guarded method declares for itself, if any: one on the store's own resource is shared by the
 * mark. All that needs Spring's transactions, which may be absent.
 */
final class DeclaredTransaction {

    /** A constant of the compiler: to name it loads nothing. */
    static final String NONE = "declares no transaction";

    private DeclaredTransaction() {}

    /** Applies what the method declares, as far as it can be shared, and returns it in words: a verb and its object. */
    static String applyTo(IdempotencyTemplateBuilder template, Method method, Class<?> beanClass, BeanFactory beans) {
        // Without this bean nothing begins a transaction, whatever is declared.
        TransactionAttributeSource source =
                beans.getBeanProvider(TransactionAttributeSource.class).getIfUnique();
        TransactionAttribute declared = source != null ? source.getTransactionAttribute(method, beanClass) : null;
        if (declared == null) {
            return NONE;
        }
        int propagation = declared.getPropagationBehavior();
        // Where one must be open already, the guard joins that one, and must not begin it if it is missing.
        if (propagation == TransactionDefinition.PROPAGATION_MANDATORY) {
            return "insists on a transaction that is open at its call";
        }
        if (propagation != TransactionDefinition.PROPAGATION_REQUIRED) {
            return "declares a transaction of another propagation than REQUIRED";
        }
        if (declared.isReadOnly()) {
            return "declares a transaction that is read-only";
        }
        return apply(template, declared, manager(declared, beanClass, beans), beans);
    }

    private static String apply(
            IdempotencyTemplateBuilder template,
            TransactionAttribute declared,
            @Nullable TransactionManager manager,
            BeanFactory beans) {
        if (manager == null) {
            return "declares a transaction whose manager is not known";
        }
        boolean[] owner = {true};
        template.handlerTransaction(
                settings(declared), resource -> owner[0] = TransactionOwner.owns(manager, resource));
        return "declares a transaction on '" + nameOf(manager, beans) + "'"
                + (owner[0] ? "" : ", which does not own the store's resource");
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
