package dev.idempotency.core;

import dev.idempotency.Delivery;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;

/** A message in the hands of a container that does not wait. */
final class SingleDelivery extends Delivery {

    private final Object body;
    private final Map<String, ?> headers;

    SingleDelivery(Object body, Map<String, ?> headers) {
        this.body = body;
        this.headers = headers;
    }

    @Override
    public Object body() {
        return body;
    }

    @Override
    public Map<String, ?> headers() {
        return headers;
    }

    @Override
    public Method listener() {
        return null;
    }

    @Override
    public boolean canReturn() {
        return true;
    }

    @Override
    public Duration waitLeft(Duration configured) {
        return Duration.ZERO;
    }

    @Override
    public void waited(Duration time) {
        throw new AssertionError("must not wait");
    }

    @Override
    public Object emptyResult(Class<?> returnType) {
        return null;
    }
}
