package dev.idempotency.listener;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.jms.config.JmsListenerContainerFactory;
import org.springframework.jms.config.JmsListenerEndpointRegistry;

// All containers of listener endpoints pass their registry: those of the user's own factories, lazy and late ones too.
final class JmsRegistryAdvice implements MethodInterceptor {

    private final JmsContainerBinder binder;

    JmsRegistryAdvice(JmsContainerBinder binder) {
        this.binder = binder;
    }

    Object proxy(JmsListenerEndpointRegistry registry) {
        if (registry instanceof Advised advised && isAdvised(advised)) {
            return registry;
        }
        ProxyFactory factory = proxyFactory();
        factory.setTarget(registry);
        return factory.getProxy(registry.getClass().getClassLoader());
    }

    Class<?> proxyType(Class<?> registryType) {
        ProxyFactory factory = proxyFactory();
        factory.setTargetClass(registryType);
        return factory.getProxyClass(registryType.getClassLoader());
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        if (invocation.getMethod().getName().equals("registerListenerContainer")) {
            Object[] arguments = invocation.getArguments();
            if (arguments[1] instanceof JmsListenerContainerFactory<?> factory) {
                arguments[1] = new JmsBindingFactory(factory, binder);
            }
        }
        return invocation.proceed();
    }

    // The registry is injected by its class.
    private ProxyFactory proxyFactory() {
        ProxyFactory factory = new ProxyFactory();
        factory.setProxyTargetClass(true);
        factory.addAdvice(this);
        return factory;
    }

    private static boolean isAdvised(Advised registry) {
        for (var advisor : registry.getAdvisors()) {
            if (advisor.getAdvice() instanceof JmsRegistryAdvice) {
                return true;
            }
        }
        return false;
    }
}
