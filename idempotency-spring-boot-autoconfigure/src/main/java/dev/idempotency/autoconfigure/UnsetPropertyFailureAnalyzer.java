package dev.idempotency.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** A property of ours that is missing: Boot would call it the invalid value 'null', which nobody has set. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnsetPropertyFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationPropertyValueException> {

    @Override
    protected @Nullable FailureAnalysis analyze(
            Throwable rootFailure, InvalidConfigurationPropertyValueException cause) {
        if (cause.getValue() != null || !cause.getName().startsWith("idempotency.")) {
            return null;
        }
        return new FailureAnalysis(
                "Configuration property '" + cause.getName() + "' is not set, and has no usable default here:\n\n    "
                        + cause.getReason(),
                "Set the property, or do what the last sentence above says.",
                cause);
    }
}
