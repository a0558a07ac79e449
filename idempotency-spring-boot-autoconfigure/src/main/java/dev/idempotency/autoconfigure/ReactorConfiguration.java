package dev.idempotency.autoconfigure;

import dev.idempotency.aop.ReactiveResults;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import reactor.core.publisher.Flux;

/** Reactive results, where there can be any. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(Flux.class)
class ReactorConfiguration {

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    ReactiveResults idempotencyReactiveResults() {
        return new ReactiveResults();
    }
}
