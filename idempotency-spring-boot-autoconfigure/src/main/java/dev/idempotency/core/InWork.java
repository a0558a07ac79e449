package dev.idempotency.core;

import dev.idempotency.Work;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the current thread is handling under guard. A nested call for the same is part of the outer one. */
final class InWork {

    private static final ThreadLocal<@Nullable Set<Subject>> SUBJECTS = new ThreadLocal<>();

    private InWork() {}

    static boolean contains(Subject subject) {
        Set<Subject> subjects = SUBJECTS.get();
        return subjects != null && subjects.contains(subject);
    }

    /** Returns whether the current thread is handling anything under guard. */
    static boolean isBusy() {
        return SUBJECTS.get() != null;
    }

    static <T> @Nullable T run(Subject subject, Work<T> work) throws Throwable {
        Set<Subject> subjects = SUBJECTS.get();
        if (subjects == null) {
            subjects = new HashSet<>();
            SUBJECTS.set(subjects);
        }
        subjects.add(subject);
        try {
            return work.run();
        } finally {
            subjects.remove(subject);
            if (subjects.isEmpty()) {
                SUBJECTS.remove();
            }
        }
    }
}
