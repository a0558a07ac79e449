package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.IdempotencyMode;
import dev.idempotency.IdempotencyStore;
import dev.idempotency.Idempotent;
import dev.idempotency.aop.TransactionalHandlers.ClaimDespite;
import dev.idempotency.aop.TransactionalHandlers.Declaring;
import dev.idempotency.aop.TransactionalHandlers.Mandatory;
import dev.idempotency.aop.TransactionalHandlers.OnAnother;
import dev.idempotency.aop.TransactionalHandlers.OnTheStores;
import dev.idempotency.aop.TransactionalHandlers.ReadOnly;
import dev.idempotency.aop.TransactionalHandlers.RequiresNew;
import dev.idempotency.aop.TransactionalHandlers.Undeclared;
import dev.idempotency.fixture.H2Store;
import dev.idempotency.fixture.Startup;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.transaction.annotation.Transactional;

/** Kind K9: what AUTO came to for each method is said at start-up, and why. */
@ExtendWith(OutputCaptureExtension.class)
class ModeReasonTests {

    private static final String CALLED_INSIDE = "; TRANSACTIONAL where one on the store is open at its call";

    private final ApplicationContextRunner databases =
            application().withUserConfiguration(DeclaredTransactionTests.TwoDatabases.class);

    static Stream<Arguments> tellsWhatAutoCameTo() {
        return Stream.of(
                Arguments.of(
                        OnTheStores.class,
                        "TRANSACTIONAL in store 'store', AUTO: the method declares a transaction on 'first', which is the"
                                + " store's"),
                Arguments.of(
                        OnTheStoresByType.class,
                        "TRANSACTIONAL in store 'store', AUTO: the method declares a transaction on 'first', which is the"
                                + " store's"),
                Arguments.of(
                        OnAnother.class,
                        "CLAIM in store 'store', AUTO: the store can claim; the method declares a transaction on 'second',"
                                + " which does not own the store's resource" + CALLED_INSIDE),
                Arguments.of(
                        OnAnotherByType.class,
                        "CLAIM in store 'store', AUTO: the store can claim; the method declares a transaction on 'second',"
                                + " which does not own the store's resource" + CALLED_INSIDE),
                Arguments.of(
                        Declaring.class,
                        "CLAIM in store 'store', AUTO: the store can claim; the method declares a transaction whose manager"
                                + " is not known" + CALLED_INSIDE),
                Arguments.of(
                        ReadOnly.class,
                        "CLAIM in store 'store', AUTO: the store can claim; the method declares a transaction that is"
                                + " read-only" + CALLED_INSIDE),
                Arguments.of(
                        RequiresNew.class,
                        "CLAIM in store 'store', AUTO: the store can claim; the method declares a transaction of another"
                                + " propagation than REQUIRED" + CALLED_INSIDE),
                Arguments.of(
                        Mandatory.class,
                        "CLAIM in store 'store', AUTO: the store can claim; the method insists on a transaction that is open"
                                + " at its call" + CALLED_INSIDE),
                Arguments.of(
                        Undeclared.class,
                        "CLAIM in store 'store', AUTO: the store can claim; the method declares no transaction"
                                + CALLED_INSIDE),
                Arguments.of(
                        Asynchronous.class,
                        "CLAIM in store 'store', AUTO: the store can claim; the method returns before its work is done"),
                Arguments.of(ClaimDespite.class, "CLAIM in store 'store', set by the annotation"));
    }

    @ParameterizedTest
    @MethodSource
    void tellsWhatAutoCameTo(Class<?> bean, String choice, CapturedOutput output) {
        databases.withBean(bean).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output)
                    .contains("Guarded methods:")
                    .containsOnlyOnce("- " + bean.getSimpleName() + ".on (" + bean.getName() + "#on): " + choice
                            + System.lineSeparator());
        });
    }

    @Test
    void tellsModeThatIsSetForAll(CapturedOutput output) {
        databases
                .withPropertyValues("idempotency.mode=after-success")
                .withBean(OnTheStores.class)
                .run(context -> assertThat(output).contains("AFTER_SUCCESS in store 'store', set for all methods"));
    }

    @Test
    void tellsWhatAStoreOfThreeVerbsCanGive(CapturedOutput output) {
        application()
                .withBean("verbs", IdempotencyStore.class, RefusedBeansTests.ThreeVerbStore::new)
                .withBean(Undeclared.class)
                .run(context -> assertThat(output)
                        .contains("AFTER_SUCCESS in store 'verbs', AUTO: the store cannot claim"
                                + System.lineSeparator()));
    }

    @ParameterizedTest
    @ValueSource(classes = {ReadOnly.class, RequiresNew.class, OnAnother.class})
    void refusesHandlersWhoseWorkWouldNotBeInTheTransactionOfTheMark(Class<?> bean) {
        databases
                .withPropertyValues("idempotency.mode=transactional")
                .withBean(bean)
                .run(context -> assertThat(Startup.faultsOf(context))
                        .singleElement()
                        .asString()
                        .contains(bean.getName() + "#on: Mode: TRANSACTIONAL. The method declares a transaction")
                        .contains("set 'mode' to CLAIM or AFTER_SUCCESS"));
    }

    @Test
    void warnsOfExceptionsThatRulesWouldCommit(CapturedOutput output) {
        databases
                .withBean(Throwing.class)
                .withBean(Ruled.class)
                .withBean(RolledBack.class)
                .withBean(OnTheStores.class)
                .run(context -> assertThat(output)
                        .contains("would commit are rolled back, since what is thrown is a failure of the message:\n- "
                                + Ruled.class.getName() + "#on\n- " + Throwing.class.getName() + "#on\nSay so"));
    }

    @Test
    void saysNothingWhereNothingIsGuarded(CapturedOutput output) {
        application().run(context -> assertThat(output).doesNotContain("Guarded methods"));
    }

    // Spring's own advice follows it, too
    @Test
    void recordsInTheTransactionThatAQualifierOfTheTypeNames() {
        databases
                .withBean(OnTheStoresByType.class)
                .withBean(OnAnotherByType.class)
                .run(context -> {
                    context.getBean(OnAnotherByType.class).on(Map.of("meta", Map.of("id", "1")));
                    assertThat(context.getBean(H2Store.class).begun()).isEmpty();
                    context.getBean(OnTheStoresByType.class).on(Map.of("meta", Map.of("id", "1")));
                    assertThat(context.getBean(H2Store.class).begun()).hasSize(1);
                });
    }

    @Qualifier("first")
    static class OnTheStoresByType {
        @Idempotent
        @Transactional
        public void on(Map<String, Object> message) {}
    }

    @Qualifier("second")
    static class OnAnotherByType {
        @Idempotent
        @Transactional
        public void on(Map<String, Object> message) {}
    }

    static class Asynchronous {
        @Idempotent(mode = IdempotencyMode.AUTO)
        @Transactional("first")
        public CompletableFuture<String> on(Map<String, Object> message) {
            return new CompletableFuture<>();
        }
    }

    static class Throwing {
        @Idempotent
        @Transactional("first")
        public void on(Map<String, Object> message) throws IOException {}
    }

    static class Ruled {
        @Idempotent
        @Transactional(transactionManager = "first", noRollbackFor = IllegalStateException.class)
        public void on(Map<String, Object> message) {}
    }

    static class RolledBack {
        @Idempotent
        @Transactional(transactionManager = "first", rollbackFor = Exception.class)
        public void on(Map<String, Object> message) throws IOException {}
    }
}
