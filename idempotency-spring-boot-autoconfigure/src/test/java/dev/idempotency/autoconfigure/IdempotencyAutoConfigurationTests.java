package dev.idempotency.autoconfigure;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.IdempotencyListener;
import dev.idempotency.Idempotent;
import dev.idempotency.MessageIdResolver;
import dev.idempotency.MessageOutcome;
import dev.idempotency.Outcome;
import dev.idempotency.StoreOperation;
import dev.idempotency.core.IdempotencyTemplate;
import dev.idempotency.fixture.RecordingOutcomes;
import dev.idempotency.message.StandardMessageIdResolver;
import dev.idempotency.store.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Kind K14: what the application has of its own wins, and what it switches off is off. */
@ExtendWith(OutputCaptureExtension.class)
class IdempotencyAutoConfigurationTests {

    private final ApplicationContextRunner disabled = application()
            .withConfiguration(AutoConfigurations.of(DisabledIdempotencyAutoConfiguration.class))
            .withPropertyValues("idempotency.enabled=false", "idempotency.store:");

    @Test
    void takesResolverOfTheUser() {
        application()
                .withBean(MessageIdResolver.class, () -> (body, headers) -> "always the same")
                .withBean(Listener.class)
                .run(context -> {
                    assertThat(context).doesNotHaveBean(StandardMessageIdResolver.class);
                    Listener listener = context.getBean(Listener.class);
                    listener.on(message("1"));
                    listener.on(message("2"));
                    assertThat(listener.calls()).hasValue(1);
                });
    }

    @Test
    void countsWhatResolverOfTheUserThrowsAsNoId(CapturedOutput output) {
        application()
                .withBean(MessageIdResolver.class, () -> (body, headers) -> {
                    throw new AssertionError("resolver");
                })
                .withBean(Listener.class)
                .run(context -> {
                    Listener listener = context.getBean(Listener.class);
                    listener.on(message("1"));
                    assertThat(listener.calls()).hasValue(1);
                    assertThat(context.getBean(RecordingOutcomes.class).outcomes())
                            .containsExactly(Outcome.UNIDENTIFIED);
                });
        assertThat(output).contains("Message id cannot be read for consumer Listener.on.");
    }

    @Test
    void takesTemplateOfTheUser() {
        InMemoryIdempotencyStore own = new InMemoryIdempotencyStore(Duration.ofHours(1), 10);
        application()
                .withBean(
                        IdempotencyTemplate.class,
                        () -> IdempotencyTemplate.builder(own).build())
                .withBean(Listener.class)
                .run(context -> {
                    context.getBean(Listener.class).on(message("1"));
                    assertThat(context).hasSingleBean(IdempotencyTemplate.class);
                    assertThat(own.size()).isEqualTo(1);
                });
    }

    @Test
    void leavesAnnotationInertWhenSwitchedOffAndSaysSoOnce(CapturedOutput output) {
        disabled.withBean(Listener.class).withBean(Other.class).run(context -> {
            Listener listener = context.getBean(Listener.class);
            listener.on(message("1"));
            listener.on(message("1"));
            assertThat(listener.calls()).hasValue(2);
            assertThat(listener.getClass()).isSameAs(Listener.class);
        });
        assertThat(output.getOut().lines().filter(line -> line.contains("WARN")))
                .singleElement()
                .asString()
                .contains("Duplicates are not skipped: 3 methods are annotated with @Idempotent, but"
                        + " 'idempotency.enabled' is false.");
    }

    @Test
    void countsASingleMethodInTheSingularWhenSwitchedOff(CapturedOutput output) {
        disabled.withBean(Listener.class).run(context -> assertThat(context).hasNotFailed());
        assertThat(output).contains("Duplicates are not skipped: 1 method is annotated with @Idempotent,");
    }

    @Test
    void keepsTheTemplateForThoseWhoAskForItWhenSwitchedOff(CapturedOutput output) {
        disabled.withBean(Programmatic.class).run(context -> {
            assertThat(context).hasNotFailed();
            Programmatic bean = context.getBean(Programmatic.class);
            assertThat(bean.handle("1")).isEqualTo(Outcome.PROCESSED);
            assertThat(bean.handle("1")).isEqualTo(Outcome.DUPLICATE);
        });
        assertThat(output).doesNotContain("WARN");
    }

    @Test
    void saysNothingWhenSwitchedOffWithoutGuardedMethods(CapturedOutput output) {
        disabled.run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("WARN");
    }

    @Test
    void announcesConsumersBeforeTheirFirstMessageAlsoUnderLazyInitialization() {
        application()
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withBean(Listener.class)
                .withBean(Other.class)
                .run(context -> assertThat(
                                context.getBean(RecordingOutcomes.class).consumers())
                        .containsExactly("Listener.on", "first", "second"));
    }

    @Test
    void neverLetsListenerTouchTheHandling() {
        application().withBean(FailingListener.class).withBean(Listener.class).run(context -> {
            assertThat(context).hasNotFailed();
            Listener listener = context.getBean(Listener.class);
            listener.on(message("1"));
            listener.on(message("1"));
            assertThat(listener.calls()).hasValue(1);
            assertThat(context.getBean(RecordingOutcomes.class).outcomes())
                    .containsExactly(Outcome.PROCESSED, Outcome.DUPLICATE);
        });
    }

    static class Listener {

        private final AtomicInteger calls = new AtomicInteger();

        @Idempotent
        public void on(Map<String, Object> message) {
            calls.incrementAndGet();
        }

        // By its method, since a proxy has no such field.
        AtomicInteger calls() {
            return calls;
        }
    }

    static class Other {
        @Idempotent(consumer = "first")
        public void first(Map<String, Object> message) {}

        @Idempotent(consumer = "second")
        public void second(Map<String, Object> message) {}
    }

    static class Programmatic {

        private final IdempotencyTemplate template;

        Programmatic(IdempotencyTemplate template) {
            this.template = template;
        }

        Outcome handle(String id) {
            try {
                return template.execute("programmatic", id, () -> "done").outcome();
            } catch (Throwable ex) {
                throw new AssertionError(ex);
            }
        }
    }

    static class FailingListener implements IdempotencyListener {

        @Override
        public void onConsumer(String consumer) {
            throw new IllegalStateException("consumer");
        }

        @Override
        public void onOutcome(MessageOutcome outcome) {
            throw new LinkageError("outcome");
        }

        @Override
        public void onStoreOperation(StoreOperation operation) {
            throw new IllegalStateException("operation");
        }
    }
}
