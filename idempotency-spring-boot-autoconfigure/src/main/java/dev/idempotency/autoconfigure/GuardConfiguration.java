package dev.idempotency.autoconfigure;

import dev.idempotency.MessageIdResolver;
import dev.idempotency.aop.GuardedBeans;
import dev.idempotency.aop.GuardedMethods;
import dev.idempotency.aop.IdempotentAdvisor;
import dev.idempotency.aop.IdempotentInterceptor;
import dev.idempotency.core.IdempotencyTemplate;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** The advice round annotated methods, unless it is switched off. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
@Import(GuardProxyRegistrar.class)
class GuardConfiguration {

    private static final String INTERCEPTOR = "idempotentInterceptor";

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static IdempotentAdvisor idempotentAdvisor(Environment environment) {
        // The proxy creator asks for this bean before any other: so it must not depend on one.
        int order =
                Binder.get(environment).bind("idempotency.order", Integer.class).orElse(GuardOrder.DEFAULT);
        return new IdempotentAdvisor(INTERCEPTOR, order);
    }

    @Bean(INTERCEPTOR)
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static IdempotentInterceptor idempotentInterceptor(GuardedMethods guardedMethods) {
        return new IdempotentInterceptor(guardedMethods);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static GuardedMethods idempotencyGuardedMethods(
            ConfigurableListableBeanFactory beanFactory,
            ObjectProvider<IdempotencyTemplate> template,
            ObjectProvider<MessageIdResolver> resolver,
            GuardedBeans beans) {
        return new GuardedMethods(beanFactory, template, resolver, beans);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static GuardedBeans idempotencyGuardedBeans() {
        return new GuardedBeans();
    }
}
