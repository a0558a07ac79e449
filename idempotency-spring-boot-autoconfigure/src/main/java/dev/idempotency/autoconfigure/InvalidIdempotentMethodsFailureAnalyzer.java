package dev.idempotency.autoconfigure;

import dev.idempotency.aop.InvalidIdempotentMethodsException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows all methods that cannot be guarded at once. */
final class InvalidIdempotentMethodsFailureAnalyzer extends AbstractFailureAnalyzer<InvalidIdempotentMethodsException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidIdempotentMethodsException cause) {
        String description = "Methods annotated with @Idempotent cannot be guarded:\n\n    - "
                + String.join("\n    - ", cause.faults());
        return new FailureAnalysis(
                description,
                "Correct each of them as it says, or remove the annotation: then a message that is delivered twice takes"
                        + " effect twice there.",
                cause);
    }
}
