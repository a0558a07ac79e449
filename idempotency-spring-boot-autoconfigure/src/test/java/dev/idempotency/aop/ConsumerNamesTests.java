package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.faultsOf;
import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Idempotent;
import dev.idempotency.Outcome;
import dev.idempotency.fixture.RecordingOutcomes;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Kind K4: marks are kept per consumer, so that a name belongs to one method of one bean (O33, O34, O35, O38). */
class ConsumerNamesTests {

    @Test
    void runsEachListenerOfOneEvent() {
        application().withBean(Billing.class).withBean(Shipping.class).run(context -> {
            context.getBean(Billing.class).on(message("1"));
            context.getBean(Shipping.class).on(message("1"));
            assertThat(context.getBean(RecordingOutcomes.class).outcomes())
                    .containsExactly(Outcome.PROCESSED, Outcome.PROCESSED);
        });
    }

    @Test
    void takesNameWithHashAsItStands() {
        application()
                .withBean(Literal.class)
                .run(context -> assertThat(
                                context.getBean(RecordingOutcomes.class).consumers())
                        .containsExactly("order#123"));
    }

    @Test
    void resolvesPlaceholderInName() {
        application()
                .withPropertyValues("billing.consumer=bills")
                .withBean(FromProperty.class)
                .run(context -> assertThat(
                                context.getBean(RecordingOutcomes.class).consumers())
                        .containsExactly("bills"));
    }

    // O34: a class made at run time is called otherwise each time
    @Test
    void asksForANameWhereTheClassHasNone() {
        application()
                .withUserConfiguration(Nameless.class)
                .run(context -> assertThat(faultsOf(context))
                        .hasSize(2)
                        .allSatisfy(fault -> assertThat(fault)
                                .contains("Attribute 'consumer' is not set, and " + Nameless.class.getName())
                                .endsWith("Set it.")));
    }

    @Configuration(proxyBeanMethods = false)
    static class Nameless {

        @Bean
        Handling lambda() {
            return message -> {};
        }

        @Bean
        Handling anonymous() {
            return new Handling() {
                @Override
                public void on(Map<String, Object> message) {}
            };
        }
    }

    interface Handling {
        @Idempotent
        void on(Map<String, Object> message);
    }

    @Test
    void refusesEqualNamesAndSuggestsTheDefaultOnes() {
        application()
                .withBean("a", NamedAlike.class)
                .withBean("b", NamedAlikeToo.class)
                .run(context -> {
                    String self = ConsumerNamesTests.class.getName();
                    assertThat(faultsOf(context))
                            .containsExactly(
                                    self + "$NamedAlike#on(Map) of bean 'a', " + self + "$NamedAlikeToo#on(Map) of bean"
                                            + " 'b': They share the consumer name 'same', so a message of one would be a duplicate to"
                                            + " the other. Set 'consumer' on each to a name of its own, such as 'NamedAlike.on',"
                                            + " 'NamedAlikeToo.on'.");
                });
    }

    @Test
    void refusesOverloadsAndSuggestsNamesByParameters() {
        application()
                .withBean(Overloads.class)
                .run(context -> assertThat(faultsOf(context))
                        .singleElement()
                        .asString()
                        .contains("They share the consumer name 'Overloads.on'")
                        .contains("'Overloads.on.String'", "'Overloads.on.Map'"));
    }

    @Test
    void refusesSameSimpleNameAndSuggestsQualifiedOnes() {
        application()
                .withBean("ours", Billing.class)
                .withBean("theirs", Elsewhere.Billing.class)
                .run(context -> assertThat(faultsOf(context))
                        .singleElement()
                        .asString()
                        .contains("They share the consumer name 'Billing.on'")
                        .contains("'" + Billing.class.getName() + ".on'")
                        .contains("'" + Elsewhere.Billing.class.getName() + ".on'"));
    }

    @Test
    void refusesOneClassAsTwoBeansAndSaysTheWayOut() {
        application()
                .withBean("one", Billing.class)
                .withBean("two", Billing.class)
                .run(context -> assertThat(faultsOf(context))
                        .singleElement()
                        .asString()
                        .contains("of bean 'one'", "of bean 'two'")
                        .endsWith("One method cannot have two names: keep one of the beans, or override the method in a"
                                + " subclass for each, with a 'consumer' of its own."));
    }

    static class Billing {
        @Idempotent
        public void on(Map<String, Object> message) {}
    }

    static class Shipping {
        @Idempotent
        public void on(Map<String, Object> message) {}
    }

    static class Elsewhere {
        static class Billing {
            @Idempotent
            public void on(Map<String, Object> message) {}
        }
    }

    static class Literal {
        @Idempotent(consumer = "order#123")
        public void on(Map<String, Object> message) {}
    }

    static class FromProperty {
        @Idempotent(consumer = "${billing.consumer}")
        public void on(Map<String, Object> message) {}
    }

    static class NamedAlike {
        @Idempotent(consumer = "same")
        public void on(Map<String, Object> message) {}
    }

    static class NamedAlikeToo {
        @Idempotent(consumer = "same")
        public void on(Map<String, Object> message) {}
    }

    static class Overloads {
        @Idempotent
        public void on(String message) {}

        @Idempotent
        public void on(Map<String, Object> message) {}
    }
}
