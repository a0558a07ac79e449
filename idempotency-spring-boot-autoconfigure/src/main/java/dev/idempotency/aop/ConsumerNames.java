package dev.idempotency.aop;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The names of all consumers, each of which may belong to one method of one bean: marks are kept by them. Safe for use
 * by many threads.
 */
final class ConsumerNames {

    private static final List<Function<Holder, String>> SUGGESTIONS =
            List.of(Holder::shortName, Holder::longName, Holder::shortNameOfOverload, Holder::longNameOfOverload);

    private final Map<String, Set<Holder>> holders = new TreeMap<>();
    private final ReentrantLock lock = new ReentrantLock();

    /** Adds what holds each name; returns one fault for each name that is held more than once. */
    List<String> add(Map<String, Set<Holder>> added) {
        return replace(null, added);
    }

    /**
     * Sets the names that a bean has, whatever they were taken for before it was made.
     *
     * @param beanName the bean; null to replace nothing
     * @return one fault for each name of these that is held more than once
     */
    List<String> replace(@Nullable String beanName, Map<String, Set<Holder>> added) {
        lock.lock();
        try {
            holders.values()
                    .forEach(all -> all.removeIf(holder -> holder.beanName().equals(beanName)));
            List<String> faults = new ArrayList<>();
            added.forEach((consumer, adding) -> {
                Set<Holder> sharing = holders.computeIfAbsent(consumer, none -> new LinkedHashSet<>());
                sharing.addAll(adding);
                if (sharing.size() > 1) {
                    faults.add(fault(consumer, List.copyOf(sharing)));
                }
            });
            if (!faults.isEmpty()) {
                // It is not made: so it is in nobody's way.
                holders.values().forEach(all -> added.values().forEach(all::removeAll));
            }
            return faults;
        } finally {
            lock.unlock();
        }
    }

    private static String fault(String consumer, List<Holder> sharing) {
        return sharing.stream().map(Holder::shown).collect(Collectors.joining(", "))
                + ": They share the consumer name '" + consumer
                + "', so a message of one would be a duplicate to the other. " + cure(sharing);
    }

    private static String cure(List<Holder> sharing) {
        if (sharing.stream().map(Holder::method).distinct().count() < sharing.size()) {
            return "One method cannot have two names: keep one of the beans, or override the method in a subclass for"
                    + " each, with a 'consumer' of its own.";
        }
        return "Set 'consumer' on each to a name of its own, such as " + suggestion(sharing) + ".";
    }

    private static String suggestion(List<Holder> sharing) {
        List<String> names = List.of();
        for (Function<Holder, String> form : SUGGESTIONS) {
            names = sharing.stream().map(form).distinct().toList();
            if (names.size() == sharing.size()) {
                break;
            }
        }
        return names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
    }

    /** A method of a bean that has the name. */
    record Holder(String beanName, Class<?> beanClass, Method method) {

        private String shown() {
            return MethodNames.of(method) + "(" + parameters(", ") + ") of bean '" + beanName + "'";
        }

        private String shortName() {
            return beanClass.getSimpleName() + "." + method.getName();
        }

        private String longName() {
            return beanClass.getName() + "." + method.getName();
        }

        private String shortNameOfOverload() {
            return shortName() + "." + parameters("-");
        }

        private String longNameOfOverload() {
            return longName() + "." + parameters("-");
        }

        private String parameters(String separator) {
            return Arrays.stream(method.getParameterTypes())
                    .map(Class::getSimpleName)
                    .collect(Collectors.joining(separator));
        }
    }
}
