package dev.idempotency.autoconfigure;

import java.util.Collection;
import java.util.List;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;

/** Several beans could be the store of the guard. */
final class AmbiguousStoreException extends IllegalStateException {

    private final transient List<String> beanNames;

    AmbiguousStoreException(NoUniqueBeanDefinitionException cause) {
        // Without its cause, which Boot would explain in terms of a bean method that is not the user's.
        super("Several IdempotencyStore beans, and none is the primary one: " + cause.getBeanNamesFound());
        Collection<String> found = cause.getBeanNamesFound();
        this.beanNames = found != null ? List.copyOf(found) : List.of();
    }

    List<String> beanNames() {
        return beanNames;
    }
}
