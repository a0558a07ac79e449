package dev.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.IdempotencyMode;
import dev.idempotency.MessageInFlightException;
import dev.idempotency.Outcome;
import dev.idempotency.StoreUnavailableException;
import dev.idempotency.test.FailingStore.Operation;
import dev.idempotency.test.ScriptedHandler.Delivered;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;

/** One run of one sequence in one mode, on stores of its own. */
final class SequenceRun implements AutoCloseable {

    private final SequenceContract contract;
    private final String namespace;
    private final IdempotencyMode mode;
    private final Map<String, GuardUnderTest> guards = new LinkedHashMap<>();
    private final Map<String, RunInWork> runs = new LinkedHashMap<>();
    private @Nullable PlatformTransactionManager manager;
    private @Nullable TransactionStatus transaction;
    private boolean down;

    SequenceRun(SequenceContract contract, String namespace, IdempotencyMode mode) {
        this.contract = contract;
        this.namespace = namespace;
        this.mode = mode;
    }

    void run(DeliverySequence sequence) throws Throwable {
        for (Step step : sequence.steps()) {
            try {
                perform(step);
            } catch (Exception | AssertionError ex) {
                throw new AssertionError(step + " " + step.action() + step.attributes() + ": " + ex.getMessage(), ex);
            }
        }
        guards.values().forEach(GuardUnderTest::assertCounts);
    }

    private void perform(Step step) throws Exception {
        switch (step.action()) {
            case DELIVER -> deliver(step);
            case START -> start(step);
            case FINISH -> finish(step);
            case FORGET -> guard(step).store().forget(step.key());
            case REMEMBER -> assertAnswer(step, guard(step).store().remember(step.key()));
            case CLAIM -> assertAnswer(step, claiming(step).claim(step.key(), step.get("owner"), contract.lease()));
            case RELEASE -> claiming(step).release(step.key(), step.get("owner"));
            case BEGIN -> transaction = manager(step).getTransaction(null);
            case COMMIT -> endTransaction(true);
            case ROLLBACK -> endTransaction(false);
            case STORE_DOWN -> setDown(step, true);
            case STORE_UP -> setDown(step, false);
            case RETENTION_PASSES -> contract.pass(contract.retention().plus(contract.moment()));
            case HALF_RETENTION_PASSES -> contract.pass(half());
            case HALF_RETENTION_AND_MOMENT_PASSES -> contract.pass(half().plus(contract.moment()));
            case LEASE_PASSES -> contract.pass(contract.lease().plus(contract.moment()));
        }
    }

    private void deliver(Step step) {
        GuardUnderTest guard = guard(step);
        ScriptedHandler handler = new ScriptedHandler();
        if (step.expects("run")) {
            handler.willEndWith(step.get("outcome"));
        }
        if (step.has("mark")) {
            guard.failing().down(Operation.REMEMBER, Operation.COMPLETE);
        }
        Delivered delivered = guard.deliver(step, handler);
        switch (step.get("expect")) {
            case "run" -> {
                handler.assertEnded(delivered);
                countRun(guard, step, handler);
            }
            case "skip" -> {
                handler.assertNotCalled();
                assertThat(delivered).as("a skip ends normally").isEqualTo(new Delivered(null, null));
                guard.expect(step, Outcome.DUPLICATE);
            }
            case "later" -> {
                handler.assertNotCalled();
                assertThat(delivered.thrown())
                        .isExactlyInstanceOf(down ? StoreUnavailableException.class : MessageInFlightException.class);
                guard.expect(step, down ? Outcome.DEFERRED : Outcome.IN_FLIGHT);
            }
            default -> throw new IllegalArgumentException(step + ": nothing is known of what is expected");
        }
    }

    private void countRun(GuardUnderTest guard, Step step, ScriptedHandler handler) {
        if (step.get("id").isBlank()) {
            guard.expect(step, Outcome.UNIDENTIFIED);
        } else if (transaction != null && !handler.fails()) {
            guard.expectAtEndOfTransaction(step);
        } else {
            guard.expect(step, counted(step, handler.fails() ? Outcome.FAILED : Outcome.PROCESSED));
        }
    }

    private void start(Step step) throws Exception {
        GuardUnderTest guard = guard(step);
        if (step.has("renewal")) {
            guard.failing().blockRenewals();
        }
        RunInWork run = new RunInWork(step, work -> guard.deliver(step, work));
        if (runs.putIfAbsent(step.get("run"), run) != null) {
            throw new IllegalArgumentException(step + ": a run of that name is in work");
        }
        run.awaitInWork();
        guard.failing().allowRenewals();
    }

    private void finish(Step step) {
        RunInWork run = runs.remove(step.get("run"));
        if (run == null) {
            throw new IllegalArgumentException(step + ": no run of that name is in work");
        }
        String outcome = step.get("outcome");
        run.finish(outcome);
        guard(run.step()).expect(run.step(), counted(step, outcome.equals("ok") ? Outcome.PROCESSED : Outcome.FAILED));
    }

    private static Outcome counted(Step step, Outcome usual) {
        return step.has("counts") ? Outcome.valueOf(step.get("counts").toUpperCase(Locale.ROOT)) : usual;
    }

    private static void assertAnswer(Step step, Object answer) {
        assertThat(String.valueOf(answer)).isEqualTo(step.get("answers"));
    }

    private void setDown(Step step, boolean nowDown) {
        down = nowDown;
        FailingStore failing = guard(step).failing();
        if (nowDown) {
            failing.down();
        } else {
            failing.up();
        }
    }

    private PlatformTransactionManager manager(Step step) {
        if (manager == null) {
            manager = contract.transactionManager(guard(step).store());
        }
        return manager;
    }

    private void endTransaction(boolean committing) {
        if (manager == null || transaction == null) {
            throw new IllegalArgumentException("No transaction is open");
        }
        if (committing) {
            manager.commit(transaction);
        } else {
            manager.rollback(transaction);
        }
        transaction = null;
        guards.values().forEach(guard -> guard.transactionEnded(committing ? Outcome.PROCESSED : Outcome.FAILED));
    }

    private Duration half() {
        return StoreUnderTest.half(contract.retention());
    }

    private ClaimingIdempotencyStore claiming(Step step) {
        return (ClaimingIdempotencyStore) guard(step).store();
    }

    private GuardUnderTest guard(Step step) {
        return guards.computeIfAbsent(
                step.namespace(), apart -> new GuardUnderTest(contract, namespace + "-" + apart, mode));
    }

    @Override
    public void close() {
        for (RunInWork run : runs.values()) {
            run.abandon();
        }
        if (transaction != null && !transaction.isCompleted() && manager != null) {
            manager.rollback(transaction);
        }
        guards.values().forEach(GuardUnderTest::close);
    }
}
