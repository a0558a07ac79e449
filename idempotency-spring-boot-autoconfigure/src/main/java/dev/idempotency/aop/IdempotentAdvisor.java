package dev.idempotency.aop;

import dev.idempotency.Idempotent;
import java.lang.reflect.Method;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractBeanFactoryPointcutAdvisor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Puts the guard round methods that carry {@link Idempotent}. Knows the interceptor by its bean name only, so that the
 * proxy creator, which is there before all other beans, needs none of them for it.
 *
 * @since 0.1
 */
public final class IdempotentAdvisor extends AbstractBeanFactoryPointcutAdvisor {

    private final transient Pointcut pointcut = new IdempotentPointcut();

    /**
     * Creates an advisor.
     *
     * @param interceptorBeanName the name of the {@link IdempotentInterceptor} bean
     * @param order where the guard stands among other advice: smaller is further outside
     */
    public IdempotentAdvisor(String interceptorBeanName, int order) {
        setAdviceBeanName(interceptorBeanName);
        setOrder(order);
    }

    @Override
    public Pointcut getPointcut() {
        return pointcut;
    }

    private static final class IdempotentPointcut extends StaticMethodMatcherPointcut {

        IdempotentPointcut() {
            setClassFilter(new CandidateClasses());
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
            return (IdempotentAnnotations.isPresent(method) || IdempotentAnnotations.isPresent(specific))
                    && !IdempotentAnnotations.makesBean(specific);
        }
    }

    private static final class CandidateClasses implements ClassFilter {

        @Override
        public boolean matches(Class<?> type) {
            return AnnotationUtils.isCandidateClass(type, Idempotent.class);
        }
    }
}
