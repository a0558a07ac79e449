package dev.idempotency.aop.inherited;

import dev.idempotency.Idempotent;

/** In another package than the bean that inherits from it. */
public class PackagePrivateBase {

    @Idempotent
    void on(String message) {}
}
