package dev.idempotency.core;

import dev.idempotency.Delivery;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;

/** A message in the hands of a container. */
final class SingleDelivery extends Delivery {

    private final Object body;
    private final Map<String, ?> headers;
    private Duration left;

    /** One that must not be waited for. */
    SingleDelivery(Object body, Map<String, ?> headers) {
        this(body, headers, Duration.ZERO);
    }

    SingleDelivery(Object body, Map<String, ?> headers, Duration budget) {
        this.body = body;
        this.headers = headers;
        this.left = budget;
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
        return left;
    }

    @Override
    public void waited(Duration time) {
        left = left.compareTo(time) > 0 ? left.minus(time) : Duration.ZERO;
    }

    @Override
    public Object emptyResult(Class<?> returnType) {
        return null;
    }
}
