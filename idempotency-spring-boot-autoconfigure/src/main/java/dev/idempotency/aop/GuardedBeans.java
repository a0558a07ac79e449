package dev.idempotency.aop;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.ClassUtils;

/**
 * Learns of each guarded bean when it is made: what a factory makes, and what is made after the start, may be of another
 * class than it was declared as, or be advised otherwise. Depends on no bean, as there is none yet when it is made.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1
 */
public final class GuardedBeans implements BeanPostProcessor {

    private final Map<String, Object> early = new ConcurrentHashMap<>();
    private final Map<String, Class<?>> verified = new ConcurrentHashMap<>();
    private volatile @Nullable BiConsumer<String, Object> verification;

    /** Creates a post-processor that has learnt of no bean. */
    public GuardedBeans() {}

    /** Returns the beans that were made so far, by their names. */
    Map<String, Object> early() {
        return early;
    }

    /** The start is over: what is made from now on is verified when it is made, and not made if that throws. */
    void verifyFromNowOn(BiConsumer<String, Object> late) {
        verification = late;
        early.clear();
    }

    // Spring's post-processor for these would end the start by a trace that names neither class nor annotation in full.
    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        List<String> faults = Interceptability.privateListeners(ClassUtils.getUserClass(bean));
        if (!faults.isEmpty()) {
            throw new InvalidIdempotentMethodsException(faults);
        }
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        // A proxy that somebody puts round another guarded bean has a guard too many, which does nothing.
        if (!(bean instanceof FactoryBean<?>) && Interception.guards(bean) == 1) {
            BiConsumer<String, Object> late = verification;
            if (late == null) {
                early.put(name, bean);
            } else {
                verify(late, bean, name);
            }
        }
        return bean;
    }

    // Each instance of a prototype comes by here.
    private void verify(BiConsumer<String, Object> late, Object bean, String name) {
        Class<?> type = AopUtils.getTargetClass(bean);
        if (verified.get(name) != type) {
            late.accept(name, bean);
            verified.put(name, type);
        }
    }
}
