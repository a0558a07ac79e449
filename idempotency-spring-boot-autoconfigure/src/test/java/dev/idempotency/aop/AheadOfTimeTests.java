package dev.idempotency.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.proxies;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;

import dev.idempotency.Idempotent;
import dev.idempotency.Outcome;
import dev.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import dev.idempotency.autoconfigure.IdempotencyJmsAutoConfiguration;
import dev.idempotency.fixture.RecordingOutcomes;
import jakarta.jms.ConnectionFactory;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.aot.hint.ExecutableHint;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;
import org.springframework.jms.annotation.EnableJms;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.stereotype.Component;

/** Kind K14: an application that is processed ahead of time is guarded as any other, and ships its hints (O80). */
@CompileWithForkedClassLoader
class AheadOfTimeTests {

    @Test
    void guardsAnApplicationThatIsProcessedAheadOfTime() {
        process(Application.class, (hints, fresh) -> {
            fresh.refresh();
            Effects effects = fresh.getBean(Effects.class);
            RecordingOutcomes outcomes = fresh.getBean(RecordingOutcomes.class);
            Listeners listeners = fresh.getBean(Listeners.class);
            for (int i = 0; i < 2; i++) {
                listeners.plain(new Envelope("urn:order", new Meta("1")));
                listeners.keyed(new Order(new Key("2"), "north"));
                listeners.composed(new Order(new Key("3"), "south"));
            }
            assertThat(effects.all).containsExactly("plain", "keyed", "composed");
            assertThat(outcomes.outcomes())
                    .containsExactly(
                            Outcome.PROCESSED,
                            Outcome.PROCESSED,
                            Outcome.PROCESSED,
                            Outcome.DUPLICATE,
                            Outcome.DUPLICATE,
                            Outcome.DUPLICATE);
            assertThat(outcomes.messageIds()).contains("1", "2/NORTH", "3");
        });
    }

    @Test
    void bindsTheListenerRegistryByAProxyThatIsMadeAheadOfTime() {
        process(JmsApplication.class, (hints, fresh) -> {
            assertThat(hints.reflection().typeHints())
                    .anyMatch(hint -> hint.getType()
                            .getName()
                            .startsWith(JmsListenerEndpointRegistry.class.getName() + "$$SpringCGLIB"));
            fresh.refresh();
            assertThat(AopUtils.isCglibProxy(fresh.getBean(JmsListenerEndpointRegistry.class)))
                    .isTrue();
        });
    }

    @Test
    void keepsGuardedMethodsTheirParameterNamesAndTheirAnnotations() {
        hints(Application.class, hints -> {
            // Each by itself: that the whole class is kept is due to its proxy, and a proxy by interfaces keeps none.
            assertThat(hints.reflection().getTypeHint(Listeners.class).methods())
                    .filteredOn(method -> method.getMode() == ExecutableMode.INVOKE)
                    .extracting(ExecutableHint::getName)
                    .contains("plain", "keyed", "composed", "several");
            assertThat(List.of(
                            reflection().onMethodInvocation(Idempotent.class, "consumer"),
                            reflection().onMethodInvocation(Once.class, "by"),
                            proxies().forInterfaces(Idempotent.class)))
                    .allMatch(hint -> hint.test(hints));
        });
    }

    @Test
    void keepsTheAccessorsOfPayloadsAndOfWhatTheyReturn() {
        hints(Application.class, hints -> {
            assertThat(List.of(
                            reflection().onMethodInvocation(Envelope.class, "urn"),
                            reflection().onMethodInvocation(Envelope.class, "meta"),
                            reflection().onMethodInvocation(Meta.class, "id"),
                            reflection().onMethodInvocation(Cancelled.class, "getMeta"),
                            reflection().onMethodInvocation(Nested.class, "meta")))
                    .allMatch(hint -> hint.test(hints));
            assertThat(reflection().onMethodInvocation(UUID.class, "version")).rejects(hints);
        });
    }

    @Test
    void keepsWhatExpressionsName() {
        hints(Application.class, hints -> {
            assertThat(List.of(
                            reflection().onMethodInvocation(MessageIdExpression.Received.class, "getBody"),
                            reflection().onMethodInvocation(MessageIdExpression.Received.class, "getHeaders"),
                            reflection().onMethodInvocation(Order.class, "key"),
                            reflection().onFieldAccess(Key.class, "value"),
                            reflection().onMethodInvocation(Regions.class, "of"),
                            reflection().onMethodInvocation(Region.class, "getName"),
                            reflection().onMethodInvocation(Region.class, "upper"),
                            reflection().onMethodInvocation(String.class, "concat"),
                            reflection().onMethodInvocation(Joined.class, "text"),
                            reflection().onConstructorInvocation(Joined.class.getConstructors()[0])))
                    .allMatch(hint -> hint.test(hints));
            assertThat(reflection().onMethodInvocation(Order.class, "region")).rejects(hints);
        });
    }

    @Test
    void addsNothingToAnApplicationWithoutTheGuard() {
        hints(
                Unguarded.class,
                hints -> assertThat(reflection().onMethodInvocation(Envelope.class, "urn"))
                        .rejects(hints));
    }

    private static void hints(Class<?> application, Consumer<RuntimeHints> assertions) {
        process(application, (hints, fresh) -> assertions.accept(hints));
    }

    private static void process(Class<?> application, BiConsumer<RuntimeHints, GenericApplicationContext> assertions) {
        TestGenerationContext generation = new TestGenerationContext();
        AnnotationConfigApplicationContext processed = new AnnotationConfigApplicationContext();
        TestPropertyValues properties = TestPropertyValues.of("idempotency.store=in-memory", "test.consumer=named");
        properties.applyTo(processed);
        processed.register(application);
        ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(processed, generation);
        processed.close();
        generation.writeGeneratedContent();
        TestCompiler.forSystem().with(generation).compile(compiled -> {
            try (GenericApplicationContext fresh = new GenericApplicationContext()) {
                properties.applyTo(fresh);
                initialize(compiled.getInstance(ApplicationContextInitializer.class, initializer.toString()), fresh);
                assertions.accept(generation.getRuntimeHints(), fresh);
            }
        });
    }

    @SuppressWarnings("unchecked")
    private static void initialize(ApplicationContextInitializer<?> initializer, GenericApplicationContext context) {
        ((ApplicationContextInitializer<GenericApplicationContext>) initializer).initialize(context);
    }

    @Configuration(proxyBeanMethods = false)
    @Import({Effects.class, Listeners.class, Regions.class, RecordingOutcomes.class})
    static class Unguarded {}

    @Configuration(proxyBeanMethods = false)
    @Import({
        PropertyPlaceholderAutoConfiguration.class,
        AopAutoConfiguration.class,
        IdempotencyAutoConfiguration.class,
        Unguarded.class
    })
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    @EnableJms
    @Import({Application.class, IdempotencyJmsAutoConfiguration.class})
    static class JmsApplication {

        @Bean
        ConnectionFactory connectionFactory() {
            return mock(ConnectionFactory.class);
        }
    }

    static final class Effects {

        private final List<String> all = new CopyOnWriteArrayList<>();
    }

    static class Listeners {

        private final Effects effects;

        Listeners(Effects effects) {
            this.effects = effects;
        }

        @Idempotent(consumer = "plain")
        void plain(Envelope envelope) {
            effects.all.add("plain");
        }

        @Idempotent(
                consumer = "keyed",
                messageId = "#order.key.value.concat(new dev.idempotency.aop.AheadOfTimeTests$Joined('/').text())"
                        + ".concat(@regions.of(#order).upper().name)")
        void keyed(Order order) {
            effects.all.add("keyed");
        }

        @Once(by = "#order.key().value", consumer = "${test.consumer}")
        void composed(Order order) {
            effects.all.add("composed");
        }

        @Idempotent(consumer = "several")
        void several(List<? extends Event> events, Nested<?, ?> nested) {}
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @Idempotent
    @interface Once {

        @AliasFor(annotation = Idempotent.class, attribute = "messageId")
        String by();

        @AliasFor(annotation = Idempotent.class)
        String consumer();
    }

    public record Envelope(String urn, Meta meta) {}

    public record Meta(String id) {}

    public sealed interface Event permits Cancelled {}

    public static final class Cancelled implements Event {

        public Meta getMeta() {
            return new Meta("cancelled");
        }
    }

    /** Types that go on for ever. */
    public record Nested<M extends Comparable<M>, T extends Nested<M, T>>(
            M meta, Nested<M, ? extends Nested<M, T>> nested, UUID trace) {}

    public record Order(Key key, String region) {}

    public static final class Key {

        public final String value;

        Key(String value) {
            this.value = value;
        }
    }

    @Component("regions")
    public static class Regions {

        public Region of(Order order) {
            return new Region(order.region());
        }
    }

    public static final class Region {

        private final String name;

        Region(String name) {
            this.name = name;
        }

        public String getName() {
            return name;
        }

        public Region upper() {
            return new Region(name.toUpperCase(Locale.ROOT));
        }
    }

    public record Joined(String text) {}
}
