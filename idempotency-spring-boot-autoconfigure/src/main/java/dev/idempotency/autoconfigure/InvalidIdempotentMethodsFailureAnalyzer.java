package dev.idempotency.autoconfigure;

import dev.idempotency.aop.InvalidIdempotentMethodsException;
import java.util.List;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows all methods that cannot be guarded at once. */
final class InvalidIdempotentMethodsFailureAnalyzer extends AbstractFailureAnalyzer<InvalidIdempotentMethodsException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidIdempotentMethodsException cause) {
        return new FailureAnalysis(
                description(cause.faults()),
                "Correct each of them as it says, or remove the annotation: then a message that is delivered twice takes"
                        + " effect twice there.",
                cause);
    }

    static String description(List<String> faults) {
        return "Methods annotated with @Idempotent cannot be guarded:\n\n    - " + String.join("\n    - ", faults);
    }
}
