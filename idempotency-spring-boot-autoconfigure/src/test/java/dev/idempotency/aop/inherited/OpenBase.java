package dev.idempotency.aop.inherited;

import dev.idempotency.Idempotent;
import java.util.Map;

/** Guarded methods that a class of another package inherits. */
public abstract class OpenBase {

    private int effects;

    @Idempotent
    public void open(Map<String, Object> message) {
        effects++;
    }

    @Idempotent
    protected void shielded(Map<String, Object> message) {
        effects++;
    }

    public int effects() {
        return effects;
    }
}
