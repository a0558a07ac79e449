package dev.idempotency.autoconfigure;

import java.util.Map;
import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.core.type.AnnotationMetadata;

/** Matches the configuration of the store that {@code idempotency.store} names, in whatever spelling. */
final class StoreCondition extends SpringBootCondition {

    private static final String PROPERTY = "idempotency.store";
    private static final StoreType DEFAULT = StoreType.IN_MEMORY;
    private static final Map<String, StoreType> TYPES = Map.of(
            InMemoryStoreConfiguration.class.getName(), StoreType.IN_MEMORY,
            RedisStoreConfiguration.class.getName(), StoreType.REDIS,
            JdbcStoreConfiguration.class.getName(), StoreType.JDBC);

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        String configuration = ((AnnotationMetadata) metadata).getClassName();
        StoreType required = Objects.requireNonNull(TYPES.get(configuration), configuration);
        ConditionMessage.Builder message = ConditionMessage.forCondition("Idempotency store", required);
        try {
            StoreType chosen = Binder.get(context.getEnvironment())
                    .bind(PROPERTY, StoreType.class)
                    .orElse(DEFAULT);
            return new ConditionOutcome(chosen == required, message.because("'" + PROPERTY + "' is " + chosen));
        } catch (BindException ex) {
            // Binding the properties fails for the same reason, and says so.
            return ConditionOutcome.noMatch(message.because("'" + PROPERTY + "' is unknown"));
        }
    }
}
