package dev.idempotency.autoconfigure;

import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.Idempotent;
import dev.idempotency.MessageInFlightException;
import dev.idempotency.MessageKey;
import dev.idempotency.core.IdempotencyTemplate;
import dev.idempotency.fixture.Startup;
import dev.idempotency.store.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Kind K14: nothing of the application starts earlier because of the guard, or ends with another context (O83). */
@ExtendWith(OutputCaptureExtension.class)
class StartupOrderTests {

    @Test
    void createsNoBeanOfTheApplicationEarlier(CapturedOutput output) {
        ApplicationContextRunner without = new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(PropertyPlaceholderAutoConfiguration.class, AopAutoConfiguration.class))
                .withUserConfiguration(OrderedApplication.class);
        List<String> expected = new ArrayList<>();
        without.run(
                context -> expected.addAll(context.getBean(CreationOrder.class).names()));
        ApplicationContextRunner guarded = without.withConfiguration(AutoConfigurations.of(
                        IdempotencyAutoConfiguration.class, IdempotencyJmsAutoConfiguration.class))
                .withPropertyValues("idempotency.store=in-memory");
        guarded.run(context -> {
            List<String> actual = context.getBean(CreationOrder.class).names();
            assertThat(expected).contains("first", "listener", "ownStore", "last");
            assertThat(actual.stream().filter(expected::contains)).containsExactlyElementsOf(expected);
            context.getBean(Listener.class).on(message("1"));
            assertThat(context.getBean(IdempotencyStore.class).seen(MessageKey.of("Listener.on", "1")))
                    .isTrue();
        });
        assertThat(output).doesNotContain("not eligible for getting processed");
    }

    @Test
    void createsTheTemplateAfterTheBeansOfTheApplication() {
        Startup.application()
                .withUserConfiguration(OrderedApplication.class)
                .run(context -> assertThat(context.getBean(CreationOrder.class).names())
                        .containsSubsequence("first", "listener", "ownStore", "last", "idempotencyTemplate"));
    }

    @Test
    void leavesWaitsOfTheParentAloneWhenChildContextCloses() {
        Startup.application()
                .withPropertyValues("idempotency.in-flight-wait=1m")
                .run(parent -> {
                    InMemoryIdempotencyStore store = parent.getBean(InMemoryIdempotencyStore.class);
                    MessageKey key = MessageKey.of("waiting", "1");
                    store.claim(key, "another", Duration.ofMinutes(1));
                    CompletableFuture<Object> copy = waitingCopy(parent.getBean(IdempotencyTemplate.class), key);
                    closeChildOf(parent.getSourceApplicationContext());
                    assertThat(copy).isNotDone();
                    store.release(key, "another");
                    assertThat(copy.get(10, TimeUnit.SECONDS)).isEqualTo("handled");
                });
    }

    @Test
    void endsWaitsWhenItsOwnContextCloses() {
        Startup.application()
                .withPropertyValues("idempotency.in-flight-wait=1m")
                .run(context -> {
                    MessageKey key = MessageKey.of("waiting", "1");
                    context.getBean(InMemoryIdempotencyStore.class).claim(key, "another", Duration.ofMinutes(1));
                    CompletableFuture<Object> copy = waitingCopy(context.getBean(IdempotencyTemplate.class), key);
                    context.getSourceApplicationContext().close();
                    assertThat(copy)
                            .failsWithin(Duration.ofSeconds(10))
                            .withThrowableOfType(ExecutionException.class)
                            .withCauseInstanceOf(MessageInFlightException.class);
                });
    }

    // a container waits for its listener, which may wait for a minute
    @Test
    void endsWaitsBeforeContainersStop() {
        Startup.application()
                .withPropertyValues("idempotency.in-flight-wait=1m")
                .withBean(Container.class)
                .run(context -> {
                    MessageKey key = MessageKey.of("waiting", "1");
                    context.getBean(InMemoryIdempotencyStore.class).claim(key, "another", Duration.ofMinutes(1));
                    Container container = context.getBean(Container.class);
                    container.call = waitingCopy(context.getBean(IdempotencyTemplate.class), key);
                    context.getSourceApplicationContext().close();
                    assertThat(container.callHasEnded).isTrue();
                });
    }

    static class Container implements SmartLifecycle {

        private volatile CompletableFuture<Object> call;
        private volatile boolean callHasEnded;

        @Override
        public void start() {}

        @Override
        public void stop() {
            callHasEnded = call.handle((value, failure) -> true)
                    .completeOnTimeout(false, 10, TimeUnit.SECONDS)
                    .join();
        }

        @Override
        public boolean isRunning() {
            return true;
        }
    }

    @Test
    void createsNoTemplateOnlyToCloseIt() {
        Startup.application()
                .withPropertyValues("idempotency.enabled=false")
                .withUserConfiguration(CreationOrder.class)
                .run(context -> {
                    CreationOrder order = context.getBean(CreationOrder.class);
                    context.getSourceApplicationContext().close();
                    assertThat(order.names()).contains("idempotencyWaitsEnder").doesNotContain("idempotencyTemplate");
                });
    }

    private static void closeChildOf(ApplicationContext parent) {
        AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();
        child.setParent(parent);
        child.register(IdempotencyAutoConfiguration.class);
        child.refresh();
        assertThat(child.getBean(IdempotencyTemplate.class)).isSameAs(parent.getBean(IdempotencyTemplate.class));
        child.close();
    }

    private static CompletableFuture<Object> waitingCopy(IdempotencyTemplate template, MessageKey key)
            throws InterruptedException, ExecutionException {
        CompletableFuture<Object> copy = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                copy.complete(template.execute(key, () -> "handled").value());
            } catch (Throwable ex) {
                copy.completeExceptionally(ex);
            }
        });
        thread.setDaemon(true);
        thread.start();
        try {
            copy.get(100, TimeUnit.MILLISECONDS);
            throw new AssertionError("The copy does not wait");
        } catch (TimeoutException expected) {
            return copy;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OrderedApplication {

        @Bean
        static CreationOrder creationOrder() {
            return new CreationOrder();
        }

        @Bean
        String first() {
            return "first";
        }

        @Bean
        Listener listener(String first) {
            return new Listener();
        }

        @Bean
        IdempotencyStore ownStore() {
            return new InMemoryIdempotencyStore(Duration.ofHours(1), 100);
        }

        @Bean
        Object last() {
            return "last";
        }
    }

    static class CreationOrder implements BeanPostProcessor {

        private final List<String> names = new ArrayList<>();

        List<String> names() {
            return names;
        }

        @Override
        public Object postProcessBeforeInitialization(Object bean, String beanName) {
            names.add(beanName);
            return bean;
        }
    }

    static class Listener {
        @Idempotent
        public void on(Map<String, Object> message) {}
    }
}
