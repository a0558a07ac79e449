package dev.idempotency.aop;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Calls of guarded methods that an object makes on itself: no proxy sees them, so they run unguarded. Found in class
 * files, where there are any, and only if the receiver can be no other object: so what is found is true, and not all.
 */
final class OwnCalls {

    private static final Logger log = LoggerFactory.getLogger(OwnCalls.class);

    private final Class<?> beanClass;
    private final Set<Method> guarded;
    private final Set<String> overridden = new HashSet<>();
    private final Set<String> found = new TreeSet<>();

    private OwnCalls(Class<?> beanClass, Set<Method> guarded) {
        this.beanClass = beanClass;
        this.guarded = guarded;
    }

    /**
     * Returns the calls, as {@code Class#caller calls Class#guarded}.
     *
     * @param guarded the guarded methods of the class, each as the class has it in the end
     */
    static Set<String> of(Class<?> beanClass, Set<Method> guarded) {
        OwnCalls calls = new OwnCalls(beanClass, guarded);
        for (Class<?> type = beanClass; type != null && type != Object.class; type = type.getSuperclass()) {
            calls.scan(type);
        }
        return calls.found;
    }

    private void scan(Class<?> type) {
        Set<String> targets = targetsIn(type);
        String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream content = type.getResourceAsStream(file)) {
            if (content != null && !targets.isEmpty()) {
                new ClassReader(content)
                        .accept(new Callers(type, targets), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            }
        } catch (IOException | IllegalArgumentException ex) {
            log.debug("Own calls cannot be looked for in {}", type, ex);
        }
        for (Method method : type.getDeclaredMethods()) {
            overridden.add(signature(method));
        }
    }

    /** The methods as which the guarded ones can be called on this class: under an erased signature, too. */
    private Set<String> targetsIn(Class<?> type) {
        Set<String> targets = new HashSet<>();
        for (Class<?> parent = type; parent != null; parent = parent.getSuperclass()) {
            for (Method method : parent.getDeclaredMethods()) {
                if (guarded.contains(AopUtils.getMostSpecificMethod(method, beanClass))) {
                    targets.add(signature(method));
                }
            }
        }
        return targets;
    }

    private static String signature(Method method) {
        return method.getName() + Type.getMethodDescriptor(method);
    }

    /** The methods of one class. */
    private final class Callers extends ClassVisitor {

        private final Class<?> type;
        private final Set<String> targets;
        private final boolean hasFinalMethods;

        Callers(Class<?> type, Set<String> targets) {
            super(SpringAsmInfo.ASM_VERSION);
            this.type = type;
            this.targets = targets;
            this.hasFinalMethods = Arrays.stream(type.getDeclaredMethods())
                    .anyMatch(method -> Modifier.isFinal(method.getModifiers())
                            && (method.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC)) == 0);
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access, String name, String descriptor, @Nullable String generics, String @Nullable [] thrown) {
            return isOnTarget(access) && !overridden.contains(name + descriptor)
                    ? new OwnCallVisitor(
                            type,
                            descriptor,
                            targets,
                            call -> found.add(shown(name) + " calls " + MethodNames.of(type, call)))
                    : null;
        }

        // A final method runs on a proxy that extends the class, as all do that it calls: then the call is guarded.
        private boolean isOnTarget(int access) {
            boolean apart = (access & (Opcodes.ACC_STATIC | Opcodes.ACC_BRIDGE | Opcodes.ACC_FINAL)) != 0;
            return !apart && !(hasFinalMethods && (access & Opcodes.ACC_PRIVATE) != 0);
        }

        private String shown(String name) {
            // The body of a lambda is named after the method that it stands in.
            String[] parts = name.split("\\$", -1);
            return MethodNames.of(type, parts.length == 3 && parts[0].equals("lambda") ? parts[1] : name);
        }
    }
}
