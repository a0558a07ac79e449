package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.faultsOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.idempotency.IdempotencyMode;
import dev.idempotency.Idempotent;
import dev.idempotency.aop.inherited.PackagePrivateBase;
import dev.idempotency.fixture.Database;
import dev.idempotency.fixture.H2Store;
import dev.idempotency.fixture.Startup;
import io.reactivex.rxjava3.core.Single;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import kotlin.coroutines.Continuation;
import kotlinx.coroutines.Job;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.PlatformTransactionManager;
import reactor.core.publisher.ConnectableFlux;
import reactor.core.publisher.Flux;

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
                Arguments.of(SpecialFuture.class, "on", "It returns FutureTask, in whose place"),
                Arguments.of(NeverEmpty.class, "on", "It returns Single, which cannot be empty"),
                Arguments.of(SpecialPublisher.class, "on", "It returns ConnectableFlux, which cannot be empty, or"),
                Arguments.of(UnknownPublisher.class, "on", "It returns Job, which cannot be empty, or"),
                Arguments.of(Suspending.class, "on", "A suspending function cannot be guarded"),
                Arguments.of(TransactionalFuture.class, "on", "Mode TRANSACTIONAL cannot be had"),
                Arguments.of(AsyncMethod.class, "on", "An @Async method that returns void cannot be guarded"),
                Arguments.of(AsyncClass.class, "on", "An @Async method that returns void cannot be guarded"),
                Arguments.of(Rabbit.class, "on", "@RabbitListener is not supported yet"),
                Arguments.of(Kafka.class, "on", "@KafkaListener is not supported yet"));
    }

    @ParameterizedTest
    @MethodSource
    void refused(Class<?> bean, String method, String cause) {
        application()
                .withUserConfiguration(TransactionalStore.class, bean)
                .run(context -> assertThat(faultsOf(context))
                        .singleElement()
                        .asString()
                        .startsWith(bean.getName() + "#" + method + ": " + cause));
    }

    @Test
    void refusesFutureBehindTypeVariable() {
        application()
                .withUserConfiguration(Bound.class)
                .run(context ->
                        assertThat(faultsOf(context)).singleElement().asString().contains("It returns FutureTask"));
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

    @ParameterizedTest
    @ValueSource(classes = {FinalClass.class, Immutable.class})
    void refusesFinalClassAndSaysWhoseFaultItIs(Class<?> bean) {
        application().withUserConfiguration(bean).run(context -> {
            FailureAnalysis analysis = Startup.analysisOf(context);
            assertThat(analysis.getDescription())
                    .startsWith("Methods annotated with @Idempotent cannot be guarded:")
                    .contains("    - " + bean.getName() + "#on: Its class is final");
            assertThat(analysis.getAction()).contains("remove 'final'", "IdempotencyTemplate.execute");
        });
    }

    // advice of somebody else, or another reason: the guard has nothing to say that would be true
    @ParameterizedTest
    @ValueSource(classes = {FinalElsewhere.class, ClosedFactory.class})
    void leavesOtherClassesThatNoProxyCanExtendToBoot(Class<?> configuration) {
        application().withUserConfiguration(configuration).run(context -> {
            assertThat(context.getStartupFailure()).hasCauseInstanceOf(AopConfigException.class);
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> Startup.analysisOf(context))
                    .withMessage("No analysis");
        });
    }

    @Test
    void guardsFinalClassBehindItsInterfaces() {
        application()
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .withUserConfiguration(FinalHandler.class)
                .run(context -> {
                    Consumer<?> handler = context.getBean(Consumer.class);
                    assertThat(AopUtils.isJdkDynamicProxy(handler)).isTrue();
                    assertThat(Interception.isAdvised(handler)).isTrue();
                });
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

    @Configuration(proxyBeanMethods = false)
    @Import(Database.class)
    static class TransactionalStore {
        @Bean(defaultCandidate = false)
        H2Store transactional(DataSource dataSource, PlatformTransactionManager manager) {
            return new H2Store(dataSource, manager);
        }
    }

    static class PrivateMethod {
        @Idempotent
        private void on(String message) {}
    }

    static final class FinalClass {
        @Idempotent
        public void on(String message) {}
    }

    record Immutable() {
        @Idempotent
        public void on(String message) {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    @Import(FinalElsewhere.Handling.class)
    static class FinalElsewhere {

        static final class Handling {
            @Async
            public void on(String message) {}
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ClosedFactory {

        @Bean
        Closed closed() {
            return new Closed();
        }
    }

    static class Closed {

        private Closed() {}

        @Idempotent
        public void on(String message) {}
    }

    static final class FinalHandler implements Consumer<String> {
        @Idempotent
        @Override
        public void accept(String message) {}
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

    static class SpecialFuture {
        @Idempotent
        public FutureTask<String> on(String message) {
            return new FutureTask<>(() -> message);
        }
    }

    static class NeverEmpty {
        @Idempotent
        public Single<String> on(String message) {
            return Single.just(message);
        }
    }

    static class SpecialPublisher {
        @Idempotent
        public ConnectableFlux<String> on(String message) {
            return Flux.just(message).publish();
        }
    }

    static class UnknownPublisher {
        @Idempotent
        public Job on(String message) {
            return new Job() {};
        }
    }

    static class TransactionalFuture {
        @Idempotent(mode = IdempotencyMode.TRANSACTIONAL, store = "transactional")
        public CompletableFuture<String> on(String message) {
            return new CompletableFuture<>();
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

    static class Bound extends Unbound<FutureTask<String>> {}

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
