package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.faultsOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Idempotent;
import dev.idempotency.aop.inherited.PackagePrivateBase;
import dev.idempotency.fixture.Startup;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import kotlin.coroutines.Continuation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.scheduling.annotation.Async;

/** Kinds K9 and K11: what cannot be guarded ends the start, by name (O26, O61, O65, O66, O67). */
class RefusedMethodsTests {

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(PrivateMethod.class, "on", "A private method cannot be intercepted. Remove 'private'."),
                Arguments.of(FinalMethod.class, "on", "A final method cannot be intercepted. Remove 'final'."),
                Arguments.of(StaticMethod.class, "on", "A static method cannot be intercepted. Remove 'static'."),
                Arguments.of(HandlerConfiguration.class, "handler", "On a @Bean method"),
                Arguments.of(StaticHandlerConfiguration.class, "handler", "On a @Bean method"),
                Arguments.of(Primitive.class, "on", "It returns int"),
                Arguments.of(Completable.class, "on", "It returns CompletableFuture"),
                Arguments.of(Stage.class, "on", "It returns CompletionStage"),
                Arguments.of(PlainFuture.class, "on", "It returns Future"),
                Arguments.of(FlowPublisher.class, "on", "It returns Publisher"),
                Arguments.of(Reactive.class, "on", "It returns Mono"),
                Arguments.of(Suspending.class, "on", "A suspending function cannot be guarded"),
                Arguments.of(AsyncMethod.class, "on", "An @Async method cannot be guarded yet"),
                Arguments.of(AsyncClass.class, "on", "An @Async method cannot be guarded yet"),
                Arguments.of(Rabbit.class, "on", "@RabbitListener is not supported yet"),
                Arguments.of(Kafka.class, "on", "@KafkaListener is not supported yet"));
    }

    @ParameterizedTest
    @MethodSource
    void refused(Class<?> bean, String method, String cause) {
        application()
                .withUserConfiguration(bean)
                .run(context -> assertThat(faultsOf(context))
                        .singleElement()
                        .asString()
                        .startsWith(bean.getName() + "#" + method + ": " + cause));
    }

    @Test
    void refusesFutureBehindTypeVariable() {
        application()
                .withUserConfiguration(Bound.class)
                .run(context -> assertThat(faultsOf(context))
                        .singleElement()
                        .asString()
                        .contains("It returns CompletableFuture"));
    }

    @Test
    void refusesPackagePrivateMethodOfAnotherPackage() {
        application()
                .withUserConfiguration(Stranger.class)
                .run(context -> assertThat(faultsOf(context))
                        .singleElement()
                        .asString()
                        .startsWith(PackagePrivateBase.class.getName() + "#on: A package-private method")
                        .endsWith("Make it protected or public."));
    }

    @Test
    void refusesPackagePrivateMethodBehindInterfaceProxy() {
        application()
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .withUserConfiguration(HiddenByInterface.class)
                .run(context -> assertThat(faultsOf(context))
                        .singleElement()
                        .asString()
                        .startsWith(HiddenByInterface.class.getName() + "#on: Bean '")
                        .contains("is proxied by its interfaces"));
    }

    @Test
    void tellsAllFaultsAtOnceAndWhatToDo() {
        application()
                .withUserConfiguration(
                        HandlerConfiguration.class, PrivateMethod.class, Primitive.class, Suspending.class)
                .run(context -> {
                    assertThat(faultsOf(context)).hasSize(4);
                    FailureAnalysis analysis = Startup.analysisOf(context);
                    assertThat(analysis.getDescription())
                            .startsWith("Methods annotated with @Idempotent cannot be guarded:")
                            .contains(
                                    "    - " + HandlerConfiguration.class.getName() + "#handler: On a @Bean",
                                    "    - " + PrivateMethod.class.getName() + "#on: A private",
                                    "    - " + Primitive.class.getName() + "#on: It returns int",
                                    "    - " + Suspending.class.getName() + "#on: A suspending");
                    assertThat(analysis.getAction()).startsWith("Correct each of them");
                });
    }

    static class PrivateMethod {
        @Idempotent
        private void on(String message) {}
    }

    static class FinalMethod {
        @Idempotent
        public final void on(String message) {}
    }

    static class StaticMethod {
        @Idempotent
        public static void on(String message) {}
    }

    @Configuration
    static class HandlerConfiguration {
        @Bean
        @Idempotent
        Runnable handler() {
            return () -> {};
        }
    }

    @Configuration
    static class StaticHandlerConfiguration {
        @Bean
        @Idempotent
        static Runnable handler() {
            return () -> {};
        }
    }

    static class Primitive {
        @Idempotent
        public int on(String message) {
            return 1;
        }
    }

    static class Completable {
        @Idempotent
        public CompletableFuture<String> on(String message) {
            return new CompletableFuture<>();
        }
    }

    static class Stage {
        @Idempotent
        public CompletionStage<String> on(String message) {
            return new CompletableFuture<>();
        }
    }

    static class PlainFuture {
        @Idempotent
        public Future<String> on(String message) {
            return new CompletableFuture<>();
        }
    }

    static class FlowPublisher {
        @Idempotent
        public Flow.Publisher<String> on(String message) {
            return subscriber -> {};
        }
    }

    static class Mono<T> implements Publisher<T> {}

    static class Reactive {
        @Idempotent
        public Mono<String> on(String message) {
            return new Mono<>();
        }
    }

    static class Suspending {
        @Idempotent
        public Object on(String message, Continuation<String> continuation) {
            return message;
        }
    }

    static class AsyncMethod {
        @Async
        @Idempotent
        public void on(String message) {}
    }

    @Async
    static class AsyncClass {
        @Idempotent
        public void on(String message) {}
    }

    static class Rabbit {
        @RabbitListener
        @Idempotent
        public void on(String message) {}
    }

    static class Kafka {
        @KafkaListener
        @Idempotent
        public void on(String message) {}
    }

    abstract static class Unbound<R> {
        @Idempotent
        public R on(String message) {
            return null;
        }
    }

    static class Bound extends Unbound<CompletableFuture<String>> {}

    static class Stranger extends PackagePrivateBase {}

    interface Named {
        String name();
    }

    static class HiddenByInterface implements Named {
        @Override
        public String name() {
            return "hidden";
        }

        @Idempotent
        void on(String message) {}
    }
}
