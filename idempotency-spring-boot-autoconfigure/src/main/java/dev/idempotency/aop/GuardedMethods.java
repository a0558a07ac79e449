package dev.idempotency.aop;

import dev.idempotency.ListenerMethodCheck;
import dev.idempotency.MessageIdResolver;
import dev.idempotency.aop.GuardedMethodScanner.Found;
import dev.idempotency.aop.MethodTemplates.MethodTemplate;
import dev.idempotency.core.IdempotencyTemplate;
import dev.idempotency.message.StandardMessageIdResolver;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.util.StringValueResolver;

/**
 * All guarded methods of the application. Reads each annotation once, and proves at start-up that each of them is on a
 * method that is intercepted, with an id that can be looked for and a mode that its store can give.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1
 */
public final class GuardedMethods implements SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beanFactory;
    private final MethodTemplates templates;
    private final ObjectProvider<MessageIdResolver> resolver;
    private final StringValueResolver values;
    private final GuardedBeans beans;
    private final ConsumerNames consumers = new ConsumerNames();
    private final Set<String> told = ConcurrentHashMap.newKeySet();
    private final ConcurrentMap<MethodClassKey, GuardedMethod> methods = new ConcurrentHashMap<>();

    /**
     * Creates a registry that creates no other bean before it is asked.
     *
     * @param beanFactory where the beans and the named stores are
     * @param template the template that annotated methods derive theirs from
     * @param resolver finds the id where no expression does
     * @param beans the beans that were made, and that are made later
     */
    public GuardedMethods(
            ConfigurableListableBeanFactory beanFactory,
            ObjectProvider<IdempotencyTemplate> template,
            ObjectProvider<MessageIdResolver> resolver,
            GuardedBeans beans) {
        this.beanFactory = beanFactory;
        this.beans = beans;
        this.templates = new MethodTemplates(beanFactory, template);
        this.resolver = resolver;
        // Placeholders only: a resolver of Spring's would take a consumer named order#{1} for an expression.
        this.values = beanFactory::resolveEmbeddedValue;
    }

    /**
     * Returns the number of annotated methods of all beans, whether they can be guarded or not.
     *
     * @param beanFactory where the beans are
     */
    public static int count(ConfigurableListableBeanFactory beanFactory) {
        List<Method> found = new ArrayList<>();
        new GuardedMethodScanner(beanFactory).scan((bean, method) -> found.add(method));
        return found.size();
    }

    /**
     * Verifies every guarded method, and those of beans that are made later when they are.
     *
     * @throws InvalidIdempotentMethodsException if any of them cannot be guarded; names all that cannot
     */
    @Override
    public void afterSingletonsInstantiated() {
        // What is wrong with these is not the fault of a method, and is reported as what it is.
        IdempotencyTemplate shared = templates.shared();
        resolver.getObject();
        VerificationReport report = new VerificationReport(told);
        new GuardedMethodScanner(beanFactory, beans.early()).scan((found, method) -> verify(found, method, report));
        report.conclude(consumers.add(report.held()));
        report.held().keySet().forEach(shared::announce);
        beans.verifyFromNowOn(this::verifyLate);
    }

    private void verifyLate(String name, Object bean) {
        Found found = Found.made(name, bean);
        VerificationReport report = new VerificationReport(told);
        found.methods().forEach(method -> verify(found, method, report));
        report.conclude(consumers.replace(found.name(), report.held()));
        report.held().keySet().forEach(templates.shared()::announce);
    }

    private void verify(Found found, Method method, VerificationReport report) {
        try {
            GuardedMethod guarded = verified(found, method);
            if (found.isClassKnown()) {
                report.guarded(found, method, guarded);
            }
        } catch (IllegalArgumentException ex) {
            report.refused(method, String.valueOf(ex.getMessage()));
        }
    }

    private GuardedMethod verified(Found found, Method method) {
        GuardedMethod guarded = known(method, found.beanClass());
        Object bean = found.bean();
        if (bean != null) {
            refuse(Interception.fault(found.name(), bean, method));
            refuse(AsyncMethods.fault(method, found.beanClass(), guarded.isAsynchronous(), bean));
        }
        return guarded;
    }

    /** Returns what is known of a method that is being called; most are known since the start. */
    GuardedMethod get(Method method, Class<?> beanClass) {
        GuardedMethod guarded = methods.get(new MethodClassKey(method, beanClass));
        if (guarded != null) {
            return guarded;
        }
        try {
            return known(method, beanClass);
        } catch (IllegalArgumentException ex) {
            throw new InvalidIdempotentMethodsException(List.of(MethodNames.of(method) + ": " + ex.getMessage()));
        }
    }

    // A method is called under several names: its own, that of its interface, that of its bridge.
    private GuardedMethod known(Method method, Class<?> beanClass) {
        Class<?> named = named(method, beanClass);
        Method specific = AopUtils.getMostSpecificMethod(method, named);
        MethodClassKey key = new MethodClassKey(specific, named);
        GuardedMethod guarded = methods.get(key);
        if (guarded == null) {
            GuardedMethod parsed = parse(method, specific, named);
            GuardedMethod earlier = methods.putIfAbsent(key, parsed);
            guarded = earlier != null ? earlier : parsed;
        }
        methods.putIfAbsent(new MethodClassKey(method, beanClass), guarded);
        return guarded;
    }

    // A JDK proxy has no name that outlives the process, and final methods: what it was made for is the interface.
    private static Class<?> named(Method method, Class<?> beanClass) {
        if (Proxy.isProxyClass(beanClass)) {
            for (Class<?> type : beanClass.getInterfaces()) {
                if (method.getDeclaringClass().isAssignableFrom(type)) {
                    return type;
                }
            }
        }
        return beanClass;
    }

    /** Throws IllegalArgumentException with the cause and what to do if the method cannot be guarded. */
    private GuardedMethod parse(Method method, Method specific, Class<?> beanClass) {
        refuse(Interceptability.fault(specific, beanClass));
        ResultType resultType = ResultType.of(specific, beanClass);
        refuse(AsyncMethods.fault(specific, beanClass, resultType.isAsynchronous()));
        listenerChecks().forEach(check -> refuse(check.fault(specific, resultType.isAsynchronous())));
        MethodSpec spec = MethodSpec.of(IdempotentAnnotations.annotated(specific, method), specific, beanClass, values);
        String text = spec.messageId();
        MessageIdExpression expression =
                text != null ? new MessageIdExpression(text, specific, spec.consumer(), beanFactory) : null;
        MessageIdResolver own = resolverFor(spec);
        MethodTemplate chosen =
                templates.of(spec, beanClass, resultType.isAsynchronous(), MissingIdAdvice.of(spec, own));
        return new GuardedMethod(spec, beanClass, resultType, chosen, own, expression);
    }

    private Stream<ListenerMethodCheck> listenerChecks() {
        // Without creating what is lazy only to see whether it is one.
        return beanFactory.getBeanProvider(ListenerMethodCheck.class, false).orderedStream();
    }

    private static void refuse(@Nullable String fault) {
        if (fault != null) {
            throw new IllegalArgumentException(fault);
        }
    }

    private MessageIdResolver resolverFor(MethodSpec spec) {
        MessageIdResolver shared = resolver.getObject();
        return shared instanceof StandardMessageIdResolver standard ? standard.forConsumer(spec.consumer()) : shared;
    }
}
