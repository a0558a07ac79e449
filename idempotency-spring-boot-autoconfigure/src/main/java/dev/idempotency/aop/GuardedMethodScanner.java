package dev.idempotency.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Finds the annotated methods of all beans, without creating any bean. */
final class GuardedMethodScanner {

    private static final Logger log = LoggerFactory.getLogger(GuardedMethods.class);
    // What replaces beans by mocks and others for tests: by its name, as the test framework is not there otherwise.
    private static final String TEST_OVERRIDES =
            "org.springframework.test.context.bean.override.internalBeanOverridePostProcessor";
    private static final String SCOPED_TARGET = ScopedProxyUtils.getTargetBeanName("");

    private final ConfigurableListableBeanFactory beanFactory;
    private final Map<String, Object> made;

    GuardedMethodScanner(ConfigurableListableBeanFactory beanFactory) {
        this(beanFactory, Map.of());
    }

    /**
     * Creates a scanner.
     *
     * @param made beans that are known to be guarded, by their names: what factories make is not to be had of them
     */
    GuardedMethodScanner(ConfigurableListableBeanFactory beanFactory, Map<String, Object> made) {
        this.beanFactory = beanFactory;
        this.made = made;
    }

    void scan(BiConsumer<Found, Method> consumer) {
        Set<String> names =
                new LinkedHashSet<>(Arrays.asList(beanFactory.getBeanNamesForType(Object.class, true, false)));
        names.addAll(made.keySet());
        for (String name : names) {
            // The guard stands round the target of a scoped proxy, never round the proxy.
            if (beanFactory.containsBeanDefinition(ScopedProxyUtils.getTargetBeanName(name))) {
                continue;
            }
            Found found = find(name);
            if (found != null && !isReplacedByTest(found)) {
                methodsOf(found).forEach(method -> consumer.accept(found, method));
            }
        }
    }

    // What a test puts in the place of a bean passes no post-processor, so that it is not guarded: a mock need not be.
    private boolean isReplacedByTest(Found found) {
        Object bean = found.bean();
        return bean != null && !Interception.isAdvised(bean) && beanFactory.containsBean(TEST_OVERRIDES);
    }

    private @Nullable Found find(String name) {
        Object bean = beanFactory.containsSingleton(name) ? beanFactory.getSingleton(name) : null;
        if (bean == null || bean instanceof FactoryBean<?>) {
            bean = made.get(name); // the bean of this name is what the factory makes
        }
        if (bean != null) {
            return Found.made(name, bean);
        }
        Class<?> type = beanFactory.getType(name, false);
        return type != null ? Found.of(name, null, type) : null;
    }

    // A library that the class names may be absent, and the bean may never be made for that reason; if it is, no proxy
    // can be made round it.
    private static Set<Method> methodsOf(Found found) {
        try {
            return found.methods();
        } catch (IllegalStateException | LinkageError ex) {
            String message = "Methods of bean '{}' cannot be read, so that none of them is guarded: {}";
            if (found.bean() != null) {
                log.warn(message, found.name(), found.beanClass().getName(), ex);
            } else {
                log.debug(message, found.name(), found.beanClass().getName(), ex);
            }
            return Set.of();
        }
    }

    /**
     * A bean that may have annotated methods.
     *
     * @param bean null if it does not exist yet, or is not to be had
     */
    record Found(String name, @Nullable Object bean, Class<?> beanClass) {

        static Found made(String name, Object bean) {
            return of(name, bean, AopUtils.getTargetClass(bean));
        }

        private static Found of(String name, @Nullable Object bean, Class<?> type) {
            return new Found(shown(name), bean, ClassUtils.getUserClass(type));
        }

        Set<Method> methods() {
            return IdempotentAnnotations.methodsOf(beanClass);
        }

        /** Returns whether its class is known, and with it the names of its consumers, before it is made. */
        boolean isClassKnown() {
            return bean != null || !Modifier.isAbstract(beanClass.getModifiers());
        }

        private static String shown(String name) {
            return ScopedProxyUtils.isScopedTarget(name) ? name.substring(SCOPED_TARGET.length()) : name;
        }
    }
}
