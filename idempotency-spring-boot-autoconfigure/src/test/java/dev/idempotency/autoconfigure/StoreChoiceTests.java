package dev.idempotency.autoconfigure;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.Idempotent;
import dev.idempotency.MessageKey;
import dev.idempotency.fixture.Startup;
import dev.idempotency.store.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** Kind K14: which store the guard uses, and what is said when that cannot be told (O76). */
@ExtendWith(OutputCaptureExtension.class)
class StoreChoiceTests {

    private static final String NO_STORE_CHOSEN = "Set 'idempotency.store', to 'in-memory' if that is what you want.";

    @Test
    void warnsOnceOfStoreThatNobodyChose(CapturedOutput output) {
        application()
                .withPropertyValues("idempotency.store:")
                .withBean(Listener.class)
                .run(context -> assertThat(context.getBean(IdempotencyStore.class))
                        .isInstanceOf(InMemoryIdempotencyStore.class));
        assertThat(output).containsOnlyOnce(NO_STORE_CHOSEN);
    }

    @Test
    void doesNotWarnOfStoreThatWasChosen(CapturedOutput output) {
        application()
                .withBean(Listener.class)
                .run(context -> assertThat(context.getBean(IdempotencyStore.class))
                        .isInstanceOf(InMemoryIdempotencyStore.class));
        assertThat(output).doesNotContain("WARN");
    }

    @Test
    void leavesTheFieldToStoreOfTheUser(CapturedOutput output) {
        InMemoryIdempotencyStore own = store();
        application()
                .withPropertyValues("idempotency.store:")
                .withBean("own", IdempotencyStore.class, () -> own)
                .withBean(Listener.class)
                .run(context -> {
                    assertThat(context).hasSingleBean(IdempotencyStore.class);
                    context.getBean(Listener.class).on(message("1"));
                    assertThat(own.size()).isEqualTo(1);
                });
        assertThat(output).doesNotContain(NO_STORE_CHOSEN);
    }

    @Test
    void refusesTwoStoresWithoutPrimaryAndSaysWhatToDo() {
        application().withUserConfiguration(TwoStores.class).run(context -> {
            FailureAnalysis analysis = Startup.analysisOf(context);
            assertThat(analysis.getDescription())
                    .isEqualTo(
                            "The store of the guard cannot be told: there are several IdempotencyStore beans, and none"
                                    + " is the primary one: 'one', 'two'.");
            assertThat(analysis.getAction())
                    .contains("@Primary", "@Bean(defaultCandidate = false)", "'store' of @Idempotent");
        });
    }

    @Test
    void takesPrimaryOfTwoStores() {
        application().withUserConfiguration(PrimaryStore.class, Listener.class).run(context -> {
            context.getBean(Listener.class).on(message("1"));
            assertThat(context.getBean("one", InMemoryIdempotencyStore.class).size())
                    .isEqualTo(1);
        });
    }

    @Test
    void keepsOursBesideFurtherStoreNamedByTheAnnotation() {
        application()
                .withUserConfiguration(FurtherStore.class)
                .withBean(Listener.class)
                .withBean(FurtherListener.class)
                .run(context -> {
                    context.getBean(Listener.class).on(message("1"));
                    context.getBean(FurtherListener.class).on(message("2"));
                    assertThat(context.getBean("further", IdempotencyStore.class)
                                    .seen(MessageKey.of("FurtherListener.on", "2")))
                            .isTrue();
                    InMemoryIdempotencyStore ours =
                            context.getBean("inMemoryIdempotencyStore", InMemoryIdempotencyStore.class);
                    assertThat(ours.seen(MessageKey.of("Listener.on", "1"))).isTrue();
                    assertThat(ours.size()).isEqualTo(1);
                });
    }

    private static InMemoryIdempotencyStore store() {
        return new InMemoryIdempotencyStore(Duration.ofHours(1), 100);
    }

    static class Listener {
        @Idempotent
        public void on(Map<String, Object> message) {}
    }

    static class FurtherListener {
        @Idempotent(store = "further")
        public void on(Map<String, Object> message) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoStores {

        @Bean
        IdempotencyStore one() {
            return store();
        }

        @Bean
        IdempotencyStore two() {
            return store();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryStore {

        @Bean
        @Primary
        IdempotencyStore one() {
            return store();
        }

        @Bean
        IdempotencyStore two() {
            return store();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FurtherStore {

        @Bean(defaultCandidate = false)
        IdempotencyStore further() {
            return store();
        }
    }
}
