package dev.idempotency.test;

import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.IdempotencyMode;
import dev.idempotency.IdempotencyStore;
import dev.idempotency.MessageIdResolver;
import dev.idempotency.TransactionalIdempotencyStore;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs every known sequence of deliveries through the engine on a store, in every mode that the store can give.
 *
 * @since 0.1
 */
public abstract class SequenceContract extends StoreUnderTest {

    private final AtomicInteger runs = new AtomicInteger();

    /** Creates a contract; JUnit does so. */
    protected SequenceContract() {}

    /**
     * Returns the modes to run: by default all that the type of the store can give.
     *
     * @param store a store under test
     */
    protected Set<IdempotencyMode> modes(IdempotencyStore store) {
        Set<IdempotencyMode> modes = EnumSet.of(IdempotencyMode.AUTO, IdempotencyMode.AFTER_SUCCESS);
        if (store instanceof ClaimingIdempotencyStore) {
            modes.add(IdempotencyMode.CLAIM);
        }
        if (store instanceof TransactionalIdempotencyStore) {
            modes.add(IdempotencyMode.TRANSACTIONAL);
        }
        return modes;
    }

    /**
     * Returns the transaction manager of the application: by default one for the {@code DataSource} that is the
     * resource of the store, and for a store that has none one for an empty database in memory.
     *
     * @param store the store under test
     */
    protected PlatformTransactionManager transactionManager(IdempotencyStore store) {
        if (store instanceof TransactionalIdempotencyStore transactional
                && transactional.transactionResource() instanceof DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setUrl("jdbc:h2:mem:");
        return new DataSourceTransactionManager(dataSource);
    }

    /** Returns the resolver that reads the id of an envelope; by default the text at {@code meta.id} of a JSON text. */
    protected MessageIdResolver messageIdResolver() {
        return (body, headers) -> JsonMapper.shared()
                .readTree((String) body)
                .at("/meta/id")
                .asStringOpt()
                .orElse(null);
    }

    @TestFactory
    Stream<DynamicContainer> sequences() {
        IdempotencyStore probe = createStore(namespace(), retention());
        return modes(probe).stream().map(mode -> DynamicContainer.dynamicContainer(mode.name(), inMode(mode, probe)));
    }

    private Stream<DynamicTest> inMode(IdempotencyMode mode, IdempotencyStore probe) {
        IdempotencyMode effective = mode != IdempotencyMode.AUTO
                ? mode
                : probe instanceof ClaimingIdempotencyStore ? IdempotencyMode.CLAIM : IdempotencyMode.AFTER_SUCCESS;
        return DeliverySequence.all().stream()
                .filter(sequence -> sequence.isFor(mode, effective))
                .filter(sequence -> isShared() || !sequence.sharedOnly())
                .map(sequence -> DynamicTest.dynamicTest(sequence.name(), () -> run(sequence, mode)));
    }

    private void run(DeliverySequence sequence, IdempotencyMode mode) throws Throwable {
        try (SequenceRun run = new SequenceRun(this, namespace() + "-" + runs.incrementAndGet(), mode)) {
            run.run(sequence);
        }
    }
}
