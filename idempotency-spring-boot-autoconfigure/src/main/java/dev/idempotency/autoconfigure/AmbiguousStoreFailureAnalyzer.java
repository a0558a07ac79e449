package dev.idempotency.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says how to tell the store of the guard from further ones. */
final class AmbiguousStoreFailureAnalyzer extends AbstractFailureAnalyzer<AmbiguousStoreException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, AmbiguousStoreException cause) {
        return new FailureAnalysis(
                "The store of the guard cannot be told: there are several IdempotencyStore beans, and none is the primary"
                        + " one: '" + String.join("', '", cause.beanNames()) + "'.",
                "Mark one of them with @Primary, or declare each further one with @Bean(defaultCandidate = false) and"
                        + " name it by the attribute 'store' of @Idempotent.",
                cause);
    }
}
