package dev.idempotency.aop;

import dev.idempotency.Idempotent;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.StringUtils;

/**
 * What a native image keeps for the guarded methods of this application: the methods and the names of their parameters,
 * the annotations on them, and what is read of their arguments by reflection. Refuses nothing: the start does.
 */
final class GuardedMethodsAotProcessor implements BeanFactoryInitializationAotProcessor {

    @Override
    public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
            ConfigurableListableBeanFactory beanFactory) {
        if (beanFactory.getBeanNamesForType(GuardedMethods.class, true, false).length == 0) {
            return null;
        }
        List<Guarded> guarded = new ArrayList<>();
        new GuardedMethodScanner(beanFactory)
                .scan((found, method) -> guarded.add(Guarded.of(method, found.beanClass())));
        return guarded.isEmpty()
                ? null
                : (context, code) -> guarded.forEach(
                        each -> register(each, context.getRuntimeHints().reflection(), beanFactory));
    }

    private static void register(Guarded guarded, ReflectionHints hints, ConfigurableListableBeanFactory beanFactory) {
        hints.registerMethod(guarded.method(), ExecutableMode.INVOKE);
        registerAnnotations(guarded.annotated(), hints);
        String messageId = IdempotentAnnotations.get(guarded.annotated()).messageId();
        if (StringUtils.hasText(messageId)) {
            new ExpressionHints(hints, beanFactory).register(messageId, guarded.method(), guarded.beanClass());
        } else {
            ReadMembers members = ReadMembers.ofPayload(hints);
            for (int position : new MessageArguments(guarded.method()).candidates()) {
                members.register(ResolvableType.forMethodParameter(guarded.method(), position, guarded.beanClass()));
            }
        }
    }

    // A composed annotation is read attribute by attribute, like the one that it stands for.
    private static void registerAnnotations(Method annotated, ReflectionHints hints) {
        MergedAnnotations.from(annotated, SearchStrategy.TYPE_HIERARCHY).stream(Idempotent.class)
                .forEach(annotation -> {
                    for (MergedAnnotation<? extends Annotation> source = annotation;
                            source != null;
                            source = source.getMetaSource()) {
                        hints.registerType(source.getType(), MemberCategory.INVOKE_PUBLIC_METHODS);
                    }
                });
    }

    /**
     * An annotated method.
     *
     * @param annotated where the annotation is
     * @param method what is called in the end
     */
    private record Guarded(Method annotated, Method method, Class<?> beanClass) {

        static Guarded of(Method found, Class<?> beanClass) {
            Method method = AopUtils.getMostSpecificMethod(found, beanClass);
            return new Guarded(IdempotentAnnotations.annotated(method, found), method, beanClass);
        }
    }
}
