package dev.idempotency.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.springframework.aop.support.AopUtils;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.ReflectionUtils;

/**
 * Tells whose transactions are on a resource: a mark shares the transaction of the handler only if that is on the
 * resource of the store.
 *
 * @since 0.1
 */
public final class TransactionOwner {

    private TransactionOwner() {}

    /**
     * Returns whether transactions of a manager are on that very resource.
     *
     * @param manager the manager, a proxy of one included
     * @param resource a {@code DataSource} as the manager was given it, such as a store's {@link
     *     dev.idempotency.TransactionalIdempotencyStore#transactionResource() resource}
     */
    public static boolean owns(TransactionManager manager, Object resource) {
        if (manager instanceof ResourceTransactionManager direct && direct.getResourceFactory() == resource) {
            return true;
        }
        // The manager of an ORM binds the DataSource beside its own factory, and says so in a property only.
        Method getter = ReflectionUtils.findMethod(AopUtils.getTargetClass(manager), "getDataSource");
        return getter != null
                && Modifier.isPublic(getter.getModifiers())
                && ReflectionUtils.invokeMethod(getter, manager) == resource;
    }
}
