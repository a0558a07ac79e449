package dev.idempotency.scenario;

import dev.idempotency.IdempotencyListener;
import dev.idempotency.MessageOutcome;
import dev.idempotency.Outcome;
import dev.idempotency.StoreOperation;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What the guard said of itself. */
final class Guarding implements IdempotencyListener {

    private final List<MessageOutcome> outcomes = new CopyOnWriteArrayList<>();
    private final List<String> operations = new CopyOnWriteArrayList<>();

    @Override
    public void onOutcome(MessageOutcome outcome) {
        outcomes.add(outcome);
    }

    @Override
    public void onStoreOperation(StoreOperation operation) {
        operations.add(operation.operation() + ":" + operation.result());
    }

    long count(Outcome outcome) {
        return outcomes.stream().filter(each -> each.outcome() == outcome).count();
    }

    List<Outcome> outcomes() {
        return outcomes.stream().map(MessageOutcome::outcome).toList();
    }

    long times(String operation) {
        return operations.stream().filter(operation::equals).count();
    }
}
