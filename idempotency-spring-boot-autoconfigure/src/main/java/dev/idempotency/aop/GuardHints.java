package dev.idempotency.aop;

import dev.idempotency.Idempotent;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image keeps for the guard of any application. Made when an application is processed ahead of time. */
final class GuardHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        // Inside a composed annotation, or with values merged into it, it is one that Spring makes.
        hints.proxies().registerJdkProxy(Idempotent.class);
        for (Method accessor : MessageIdExpression.Received.class.getDeclaredMethods()) {
            hints.reflection().registerMethod(accessor, ExecutableMode.INVOKE);
        }
    }
}
