package dev.idempotency.sample.demo;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the demo runs.
 *
 * @param seed determines the scenario; random if not set
 * @param timeout how long all messages may take to be settled
 */
@ConfigurationProperties("demo")
record DemoProperties(
        @Nullable Long seed, @DefaultValue("40s") Duration timeout) {}
