package dev.idempotency.aop;

import dev.idempotency.aop.GuardedMethodScanner.Found;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the start has found of all annotated methods, told once. */
final class StartupReport {

    private static final Logger log = LoggerFactory.getLogger(GuardedMethods.class);

    private final List<String> faults = new ArrayList<>();
    private final ConsumerNames consumers = new ConsumerNames();
    private final Set<String> guarded = new TreeSet<>();
    private final Map<Class<?>, Set<Method>> byClass = new HashMap<>();

    void guarded(Found bean, Method method, GuardedMethod known) {
        consumers.add(known.spec().consumer(), new ConsumerNames.Holder(bean.name(), bean.beanClass(), method));
        guarded.add(known.toString());
        byClass.computeIfAbsent(bean.beanClass(), none -> new HashSet<>())
                .add(known.spec().method());
    }

    void refused(Method method, String fault) {
        faults.add(MethodNames.of(method) + ": " + fault);
    }

    /**
     * Ends the start, or tells what is guarded.
     *
     * @return the names of all consumers
     * @throws InvalidIdempotentMethodsException if any method cannot be guarded; names all that cannot
     */
    Set<String> conclude() {
        faults.addAll(consumers.faults());
        if (!faults.isEmpty()) {
            throw new InvalidIdempotentMethodsException(faults);
        }
        if (!guarded.isEmpty()) {
            log.info("Guarded methods:{}", list(guarded));
        }
        Set<String> unguarded = new TreeSet<>();
        byClass.forEach((beanClass, methods) -> unguarded.addAll(OwnCalls.of(beanClass, methods)));
        if (!unguarded.isEmpty()) {
            log.warn(
                    "Calls are not guarded, since an object that calls itself does not pass the guard round it:{}\n"
                            + "Move the called method to another bean, or guard the handling by"
                            + " IdempotencyTemplate.execute.",
                    list(unguarded));
        }
        return consumers.all();
    }

    private static String list(Set<String> lines) {
        return "\n- " + String.join("\n- ", lines);
    }
}
