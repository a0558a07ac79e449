package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.faultsOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.idempotency.IdempotencyMode;
import dev.idempotency.IdempotencyStore;
import dev.idempotency.Idempotent;
import dev.idempotency.MessageKey;
import dev.idempotency.fixture.Startup;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.PriorityOrdered;

/** Kind K9: a bean that is not intercepted, or attributes that cannot be, end the start by name. */
class RefusedBeansTests {

    @Test
    void refusesBeanDraggedUpBeforeTheGuardCouldWrapIt() {
        application()
                .withUserConfiguration(EarlyConfiguration.class)
                .run(context -> assertThat(faultsOf(context))
                        .containsExactly(Listener.class.getName()
                                + "#on: Bean 'listener' is not intercepted: it was created"
                                + " before the guard could wrap it. Do not make it a dependency of a post-processor."));
    }

    @Test
    void refusesBeanRegisteredAsReadyMadeObject() {
        application()
                .withInitializer(context -> context.getBeanFactory().registerSingleton("listener", new Listener()))
                .run(context -> assertThat(faultsOf(context))
                        .singleElement()
                        .asString()
                        .contains("Bean 'listener' is not intercepted"));
    }

    @Test
    void refusesModeThatTheStoreCannotGive() {
        application()
                .withUserConfiguration(ThreeVerbStore.class, ClaimListener.class)
                .run(context -> assertThat(faultsOf(context))
                        .singleElement()
                        .asString()
                        .startsWith(ClaimListener.class.getName() + "#on: Mode CLAIM cannot be had of store '")
                        .contains("is no ClaimingIdempotencyStore"));
    }

    @Test
    void refusesStoreThatIsNoBean() {
        application()
                .withUserConfiguration(StorelessListener.class)
                .run(context -> assertThat(faultsOf(context))
                        .containsExactly(
                                StorelessListener.class.getName() + "#on: Store: 'nowhere'. No bean of this name is an"
                                        + " IdempotencyStore. Declare one, or correct 'store'."));
    }

    @Test
    void refusesLeaseThatIsNoPositiveDuration() {
        application()
                .withUserConfiguration(ZeroLease.class, WordyLease.class)
                .run(context -> assertThat(faultsOf(context))
                        .containsExactlyInAnyOrder(
                                ZeroLease.class.getName() + "#on: Attribute 'lease': \"0s\". It must be a positive"
                                        + " duration. Set it to one such as '30s'.",
                                WordyLease.class.getName()
                                        + "#on: Attribute 'lease': \"a while\". It must be a positive"
                                        + " duration. Set it to one such as '30s'."));
    }

    @Test
    void refusesPlaceholderThatNothingResolves() {
        application()
                .withUserConfiguration(Unresolved.class)
                .run(context -> assertThat(faultsOf(context))
                        .singleElement()
                        .asString()
                        .startsWith(Unresolved.class.getName() + "#on: Attribute 'consumer': \"${nobody.sets.this}\".")
                        .endsWith("Set the property, or correct the attribute."));
    }

    @Test
    void reportsFaultyPropertyAsWhatItIsAlsoUnderLazyInitialization() {
        application()
                .withPropertyValues("idempotency.lease=0s")
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withUserConfiguration(Listener.class, ZeroLease.class)
                .run(context ->
                        assertThat(Startup.analysisOf(context).getDescription()).contains("idempotency.lease"));
    }

    @Test
    void refusesWhenItIsMadeWhatCouldNotBeSeenAtStart() {
        application().withBean("late", UntypedFactory.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThatExceptionOfType(BeanCreationException.class)
                    .isThrownBy(() -> context.getBean("late"))
                    .havingRootCause()
                    .isInstanceOf(InvalidIdempotentMethodsException.class)
                    .withMessageContaining(PrimitiveListener.class.getName() + "#on: It returns int");
        });
    }

    static class Listener {
        @Idempotent
        public void on(Map<String, Object> message) {}
    }

    static class PrimitiveListener {
        @Idempotent
        public int on(Map<String, Object> message) {
            return 1;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EarlyConfiguration {

        @Bean
        Listener listener() {
            return new Listener();
        }

        @Bean
        static EarlyProcessor earlyProcessor(Listener listener) {
            return new EarlyProcessor();
        }
    }

    static class EarlyProcessor implements BeanPostProcessor, PriorityOrdered {

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    static class ThreeVerbStore implements IdempotencyStore {

        @Override
        public boolean seen(MessageKey key) {
            return false;
        }

        @Override
        public boolean remember(MessageKey key) {
            return true;
        }

        @Override
        public void forget(MessageKey key) {}
    }

    static class ClaimListener {
        @Idempotent(mode = IdempotencyMode.CLAIM)
        public void on(Map<String, Object> message) {}
    }

    static class StorelessListener {
        @Idempotent(store = "nowhere")
        public void on(Map<String, Object> message) {}
    }

    static class ZeroLease {
        @Idempotent(lease = "0s")
        public void on(Map<String, Object> message) {}
    }

    static class WordyLease {
        @Idempotent(lease = "a while")
        public void on(Map<String, Object> message) {}
    }

    static class Unresolved {
        @Idempotent(consumer = "${nobody.sets.this}")
        public void on(Map<String, Object> message) {}
    }

    static class UntypedFactory implements FactoryBean<Object> {

        @Override
        public Object getObject() {
            return new PrimitiveListener();
        }

        @Override
        public Class<?> getObjectType() {
            return null;
        }
    }
}
