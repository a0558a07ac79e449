package dev.idempotency.aop;

import dev.idempotency.aop.ConsumerNames.Holder;
import dev.idempotency.aop.GuardedMethodScanner.Found;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was found of annotated methods, told once: of all of them at the start, of a bean that is made later then. */
final class VerificationReport {

    private static final Logger log = LoggerFactory.getLogger(GuardedMethods.class);

    private final Set<String> told;
    private final List<String> faults = new ArrayList<>();
    private final Map<String, Set<Holder>> held = new TreeMap<>();
    private final Set<String> guarded = new TreeSet<>();
    private final Set<String> rollingBackMore = new TreeSet<>();
    private final Map<Class<?>, Set<Method>> byClass = new HashMap<>();

    /**
     * Starts a report.
     *
     * @param told what was told before, and is not told again
     */
    VerificationReport(Set<String> told) {
        this.told = told;
    }

    void guarded(Found bean, Method method, GuardedMethod known) {
        held.computeIfAbsent(known.spec().consumer(), none -> new LinkedHashSet<>())
                .add(new Holder(bean.name(), bean.beanClass(), method));
        guarded.add(known.toString());
        if (known.rollsBackMore()) {
            rollingBackMore.add(MethodNames.of(method));
        }
        byClass.computeIfAbsent(bean.beanClass(), none -> new HashSet<>())
                .add(known.spec().method());
    }

    void refused(Method method, String fault) {
        faults.add(MethodNames.of(method) + ": " + fault);
    }

    /** Returns the consumers' names, and who has them. */
    Map<String, Set<Holder>> held() {
        return held;
    }

    /**
     * Refuses what was found, or tells what is guarded.
     *
     * @param sharedNames faults of the names
     * @throws InvalidIdempotentMethodsException if any method cannot be guarded; names all that cannot
     */
    void conclude(List<String> sharedNames) {
        faults.addAll(sharedNames);
        if (!faults.isEmpty()) {
            throw new InvalidIdempotentMethodsException(faults);
        }
        guarded.removeIf(line -> !told.add(line));
        if (!guarded.isEmpty()) {
            log.info("Guarded methods:{}", list(guarded));
        }
        rollingBackMore.removeIf(line -> !told.add("rollback of " + line));
        if (!rollingBackMore.isEmpty()) {
            log.warn(
                    "Exceptions that the rules of these methods' transactions would commit are rolled back, since what is"
                            + " thrown is a failure of the message:{}\n"
                            + "Say so by rollbackFor = Exception.class, or return instead of throwing.",
                    list(rollingBackMore));
        }
        Set<String> unguarded = new TreeSet<>();
        byClass.forEach((beanClass, methods) -> unguarded.addAll(OwnCalls.of(beanClass, methods)));
        unguarded.removeIf(line -> !told.add(line));
        if (!unguarded.isEmpty()) {
            log.warn(
                    "Calls are not guarded, since an object that calls itself does not pass the guard round it:{}\n"
                            + "Move the called method to another bean, or guard the handling by"
                            + " IdempotencyTemplate.execute.",
                    list(unguarded));
        }
    }

    private static String list(Set<String> lines) {
        return "\n- " + String.join("\n- ", lines);
    }
}
