package dev.idempotency.aop;

import java.lang.reflect.Method;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Finds the annotated methods of all beans, without creating any bean. */
final class GuardedMethodScanner {

    private static final String SCOPED_TARGET = ScopedProxyUtils.getTargetBeanName("");

    private final ConfigurableListableBeanFactory beanFactory;

    GuardedMethodScanner(ConfigurableListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    void scan(BiConsumer<Found, Method> consumer) {
        for (String name : beanFactory.getBeanNamesForType(Object.class, true, false)) {
            // The guard stands round the target of a scoped proxy, never round the proxy.
            if (beanFactory.containsBeanDefinition(ScopedProxyUtils.getTargetBeanName(name))) {
                continue;
            }
            Found found = find(name);
            if (found != null) {
                IdempotentAnnotations.methodsOf(found.beanClass()).forEach(method -> consumer.accept(found, method));
            }
        }
    }

    private @Nullable Found find(String name) {
        Object bean = beanFactory.containsSingleton(name) ? beanFactory.getSingleton(name) : null;
        if (bean instanceof FactoryBean<?>) {
            bean = null; // the bean of this name is what the factory makes
        }
        Class<?> type = bean != null ? AopUtils.getTargetClass(bean) : beanFactory.getType(name, false);
        return type != null ? new Found(shown(name), bean, ClassUtils.getUserClass(type)) : null;
    }

    private static String shown(String name) {
        return ScopedProxyUtils.isScopedTarget(name) ? name.substring(SCOPED_TARGET.length()) : name;
    }

    /**
     * A bean that may have annotated methods.
     *
     * @param bean null if it does not exist yet
     */
    record Found(String name, @Nullable Object bean, Class<?> beanClass) {}
}
