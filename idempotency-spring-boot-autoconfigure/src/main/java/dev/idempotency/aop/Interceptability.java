package dev.idempotency.aop;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Why a method cannot be guarded, judged by its declaration alone. */
final class Interceptability {

    // Their containers cannot give this version the raw message, nor be told to settle or redeliver it.
    private static final List<String> LISTENERS_NOT_YET = List.of(
            "org.springframework.amqp.rabbit.annotation.RabbitListener",
            "org.springframework.amqp.rabbit.annotation.RabbitHandler",
            "org.springframework.kafka.annotation.KafkaListener",
            "org.springframework.kafka.annotation.KafkaHandler",
            "org.springframework.pulsar.annotation.PulsarListener",
            "io.awspring.cloud.sqs.annotation.SqsListener",
            "io.awspring.cloud.sqs.annotation.SqsHandler");

    private static final String JMS_LISTENER = "org.springframework.jms.annotation.JmsListener";

    private Interceptability() {}

    /** Returns the cause and what to do; null if the declaration is fine. */
    static @Nullable String fault(Method method, Class<?> beanClass) {
        if (IdempotentAnnotations.makesBean(method)) {
            return "On a @Bean method the annotation would guard the making of the bean, not its calls. Decorate the"
                    + " returned handler by IdempotencyTemplate.wrap.";
        }
        String fault = modifierFault(method, beanClass);
        if (fault != null) {
            return fault;
        }
        String listener = listenerNotYetSupported(method);
        if (listener != null) {
            return "@" + listener + " is not supported yet, only @JmsListener is. Guard the handling by"
                    + " IdempotencyTemplate.execute.";
        }
        return null;
    }

    /** Returns one fault for each private method that is annotated, and that a JMS container would call. */
    static List<String> privateListeners(Class<?> beanClass) {
        try {
            return IdempotentAnnotations.methodsOf(beanClass).stream()
                    .filter(method -> Modifier.isPrivate(method.getModifiers()) && hasAnnotation(method, JMS_LISTENER))
                    .map(method -> MethodNames.of(method) + ": " + modifierFault(method, beanClass))
                    .sorted()
                    .toList();
        } catch (IllegalStateException | LinkageError ex) {
            return List.of(); // it cannot be read, of which the start warns
        }
    }

    private static @Nullable String modifierFault(Method method, Class<?> beanClass) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
            String word = Modifier.isPrivate(modifiers) ? "private" : Modifier.isStatic(modifiers) ? "static" : "final";
            return "A " + word + " method cannot be intercepted. Remove '" + word + "'.";
        }
        boolean packagePrivate = !Modifier.isPublic(modifiers) && !Modifier.isProtected(modifiers);
        if (packagePrivate && isOtherPackage(method.getDeclaringClass(), beanClass)) {
            return "A package-private method cannot be intercepted in " + beanClass.getName()
                    + ", which is in another package. Make it protected or public.";
        }
        return null;
    }

    // The proxy is a class beside that of the bean, and overrides what is visible there.
    private static boolean isOtherPackage(Class<?> declaring, Class<?> beanClass) {
        return !declaring.getPackageName().equals(beanClass.getPackageName())
                || declaring.getClassLoader() != beanClass.getClassLoader();
    }

    private static @Nullable String listenerNotYetSupported(Method method) {
        for (String listener : LISTENERS_NOT_YET) {
            if (hasAnnotation(method, listener)) {
                return listener.substring(listener.lastIndexOf('.') + 1);
            }
        }
        return null;
    }

    /** Returns whether an annotation is there, whose library may be absent; also on what is overridden. */
    static boolean hasAnnotation(AnnotatedElement element, String name) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(name);
    }
}
