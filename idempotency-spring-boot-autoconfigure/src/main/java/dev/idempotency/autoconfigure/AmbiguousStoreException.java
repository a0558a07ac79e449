package dev.idempotency.autoconfigure;

import java.util.Collection;
import java.util.List;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;

/** Several beans could be the store of the guard. */
final class AmbiguousStoreException extends IllegalStateException {

    private final transient List<String> beanNames;

    AmbiguousStoreException(NoUniqueBeanDefinitionException cause) {
        super("Several IdempotencyStore beans, and none is the primary one.", cause);
        Collection<String> found = cause.getBeanNamesFound();
        this.beanNames = found != null ? List.copyOf(found) : List.of();
    }

    List<String> beanNames() {
        return beanNames;
    }
}
