package dev.idempotency.aop;

import dev.idempotency.IdempotencyMode;
import dev.idempotency.IdempotencyStore;
import dev.idempotency.core.IdempotencyTemplate;
import dev.idempotency.core.IdempotencyTemplateBuilder;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/** The template of each guarded method: the one of the application, as far as its annotation does not say otherwise. */
final class MethodTemplates {

    private static final boolean TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.interceptor.TransactionAttributeSource",
            MethodTemplates.class.getClassLoader());

    private final ConfigurableListableBeanFactory beanFactory;
    private final ObjectProvider<IdempotencyTemplate> template;

    MethodTemplates(ConfigurableListableBeanFactory beanFactory, ObjectProvider<IdempotencyTemplate> template) {
        this.beanFactory = beanFactory;
        this.template = template;
    }

    IdempotencyTemplate shared() {
        return template.getObject();
    }

    /** Throws IllegalArgumentException with the cause and what to do if the store or the mode cannot be had. */
    MethodTemplate of(MethodSpec spec, Class<?> beanClass, boolean asynchronous, String missingIdAdvice) {
        IdempotencyTemplate shared = shared();
        IdempotencyTemplateBuilder derived = shared.mutate().missingIdAdvice(missingIdAdvice);
        if (spec.mode() != IdempotencyMode.AUTO) {
            derived.mode(spec.mode());
        }
        if (spec.lease() != null) {
            derived.lease(spec.lease());
        }
        if (spec.store() != null) {
            derived.store(store(spec.store()), spec.store());
        }
        if (asynchronous) {
            derived.asynchronous();
        }
        if (ResultType.REACTOR) {
            derived.asyncResults(new ReactiveResults());
        }
        TransactionDeclaration declared = TRANSACTIONS
                ? DeclaredTransaction.applyTo(derived, spec.method(), beanClass, beanFactory)
                : TransactionDeclaration.NONE;
        IdempotencyTemplate built = derived.build();
        if (built.mode() == IdempotencyMode.TRANSACTIONAL && declared.isOutside()) {
            throw new IllegalArgumentException("Mode: TRANSACTIONAL. The method " + declared.words()
                    + ", so what it does would not be in the transaction of the mark. Declare one of propagation"
                    + " REQUIRED on the store's own resource, or set 'mode' to CLAIM or AFTER_SUCCESS.");
        }
        return new MethodTemplate(built, ModeChoice.of(built, shared, spec, declared, asynchronous));
    }

    private IdempotencyStore store(String name) {
        try {
            return beanFactory.getBean(name, IdempotencyStore.class);
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException ex) {
            throw new IllegalArgumentException(
                    "Store: '" + name + "'. No bean of this name is an IdempotencyStore. Declare one, or correct"
                            + " 'store'.",
                    ex);
        }
    }

    record MethodTemplate(IdempotencyTemplate template, ModeChoice choice) {}
}
