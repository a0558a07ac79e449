package dev.idempotency.autoconfigure.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.MessageKey;
import dev.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

class IdempotencyHealthAutoConfigurationTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    IdempotencyAutoConfiguration.class,
                    IdempotencyHealthAutoConfiguration.class))
            .withPropertyValues("idempotency.store=in-memory");

    private static Health health(ApplicationContext context) {
        return Objects.requireNonNull(context.getBean("idempotencyHealthIndicator", HealthIndicator.class)
                .health());
    }

    @Test
    void isUpWithAStoreInMemory() {
        application.run(context -> {
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            assertThat(health(context).getDetails()).containsEntry("store", "inMemoryIdempotencyStore");
        });
    }

    @Test
    void leavesNothingInAStoreOfTheApplication() {
        ThreeVerbs store = new ThreeVerbs();
        application.withBean(IdempotencyStore.class, () -> store).run(context -> {
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            assertThat(store.asked).isEqualTo(1);
            assertThat(store.marks).isEmpty();
        });
    }

    @Test
    void canBeSwitchedOff() {
        for (String property : new String[] {"management.health.idempotency.enabled", "idempotency.enabled"}) {
            application
                    .withPropertyValues(property + "=false")
                    .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
        }
    }

    private static final class ThreeVerbs implements IdempotencyStore {

        private final Set<MessageKey> marks = new HashSet<>();
        private int asked;

        @Override
        public boolean seen(MessageKey key) {
            return marks.contains(key);
        }

        @Override
        public boolean remember(MessageKey key) {
            asked++;
            return marks.add(key);
        }

        @Override
        public void forget(MessageKey key) {
            marks.remove(key);
        }
    }
}
