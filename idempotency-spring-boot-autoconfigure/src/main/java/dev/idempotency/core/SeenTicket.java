package dev.idempotency.core;

import dev.idempotency.Claim;
import dev.idempotency.MessageKey;

/** AFTER_SUCCESS: nothing is held while the handler runs. */
final class SeenTicket implements Ticket {

    private final StoreContext context;
    private final MessageKey key;

    SeenTicket(StoreContext context, MessageKey key) {
        this.context = context;
        this.key = key;
    }

    @Override
    public Claim ask() {
        return context.calls().seen(context.store(), key);
    }

    @Override
    public void admitted() {
        // nothing to hold
    }

    @Override
    public boolean mark() {
        return context.calls().remember(context.store(), key);
    }

    @Override
    public void marked() {
        // nothing held
    }

    @Override
    public void unmarked() {
        // nothing to keep
    }

    @Override
    public void giveUp() {
        // nothing held
    }

    @Override
    public void unanswered() {
        // nothing held
    }
}
