package dev.idempotency.aop;

import dev.idempotency.TransactionSettings;
import dev.idempotency.core.IdempotencyTemplateBuilder;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.ReflectionUtils;

/**
 * The transaction that a guarded method declares for itself, if any: one on the store's own resource is shared by the
 * mark. All that needs Spring's transactions, which may be absent.
 */
final class DeclaredTransaction {

    private DeclaredTransaction() {}

    static void applyTo(IdempotencyTemplateBuilder template, Method method, Class<?> beanClass, BeanFactory beans) {
        // Without this bean nothing begins a transaction, whatever is declared.
        TransactionAttributeSource source =
                beans.getBeanProvider(TransactionAttributeSource.class).getIfUnique();
        TransactionAttribute declared = source != null ? source.getTransactionAttribute(method, beanClass) : null;
        if (declared == null || !begins(declared)) {
            return;
        }
        TransactionManager manager = manager(declared, beans);
        if (manager != null) {
            template.handlerTransaction(settings(declared), resource -> owns(manager, resource));
        }
    }

    // Where one must be open already (MANDATORY), the guard joins that one, and must not begin it if it is missing.
    private static boolean begins(TransactionAttribute declared) {
        return declared.getPropagationBehavior() == TransactionDefinition.PROPAGATION_REQUIRED
                && !declared.isReadOnly();
    }

    private static TransactionSettings settings(TransactionAttribute declared) {
        int isolation = declared.getIsolationLevel();
        int seconds = declared.getTimeout();
        return new TransactionSettings(
                isolation == TransactionDefinition.ISOLATION_DEFAULT ? null : isolation,
                seconds > 0 ? Duration.ofSeconds(seconds) : null);
    }

    /** Returns the manager as Spring's own advice determines it; null if that would fail. */
    private static @Nullable TransactionManager manager(TransactionAttribute declared, BeanFactory beans) {
        String qualifier = declared.getQualifier();
        if (qualifier != null && !qualifier.isEmpty()) {
            try {
                return BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, TransactionManager.class, qualifier);
            } catch (NoSuchBeanDefinitionException ex) {
                return null;
            }
        }
        TransactionInterceptor advice =
                beans.getBeanProvider(TransactionInterceptor.class).getIfUnique();
        TransactionManager configured = advice != null ? advice.getTransactionManager() : null;
        return configured != null
                ? configured
                : beans.getBeanProvider(TransactionManager.class).getIfUnique();
    }

    // The manager of an ORM binds the DataSource beside its own factory, and says so in a property only.
    private static boolean owns(TransactionManager manager, Object resource) {
        if (manager instanceof ResourceTransactionManager direct && direct.getResourceFactory() == resource) {
            return true;
        }
        Method getter = ReflectionUtils.findMethod(AopUtils.getTargetClass(manager), "getDataSource");
        return getter != null
                && Modifier.isPublic(getter.getModifiers())
                && ReflectionUtils.invokeMethod(getter, manager) == resource;
    }
}
