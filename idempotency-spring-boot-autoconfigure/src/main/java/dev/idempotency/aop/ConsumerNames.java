package dev.idempotency.aop;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The names of all consumers, each of which may belong to one method of one bean: marks are kept by them. */
final class ConsumerNames {

    private static final List<Function<Holder, String>> SUGGESTIONS =
            List.of(Holder::shortName, Holder::longName, Holder::shortNameOfOverload, Holder::longNameOfOverload);

    private final Map<String, List<Holder>> holders = new TreeMap<>();

    void add(String consumer, Holder holder) {
        holders.computeIfAbsent(consumer, none -> new ArrayList<>()).add(holder);
    }

    Set<String> all() {
        return holders.keySet();
    }

    /** Returns one fault for each name that is held more than once. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        holders.forEach((consumer, sharing) -> {
            if (sharing.size() > 1) {
                faults.add(sharing.stream().map(Holder::shown).collect(Collectors.joining(", "))
                        + ": They share the consumer name '" + consumer
                        + "', so a message of one would be a duplicate to the other. " + cure(sharing));
            }
        });
        return faults;
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
