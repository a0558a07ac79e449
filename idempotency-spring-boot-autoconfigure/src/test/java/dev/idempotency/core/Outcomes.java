package dev.idempotency.core;

import dev.idempotency.IdempotencyListener;
import dev.idempotency.MessageOutcome;
import dev.idempotency.Outcome;
import dev.idempotency.StoreOperation;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What the listeners were told. */
final class Outcomes implements IdempotencyListener {

    private final List<MessageOutcome> outcomes = new CopyOnWriteArrayList<>();
    private final List<StoreOperation> operations = new CopyOnWriteArrayList<>();

    @Override
    public void onOutcome(MessageOutcome outcome) {
        outcomes.add(outcome);
    }

    @Override
    public void onStoreOperation(StoreOperation operation) {
        operations.add(operation);
    }

    List<Outcome> all() {
        return outcomes.stream().map(MessageOutcome::outcome).toList();
    }

    List<String> operations() {
        return operations.stream()
                .map(operation -> operation.operation() + ":" + operation.result())
                .toList();
    }
}
