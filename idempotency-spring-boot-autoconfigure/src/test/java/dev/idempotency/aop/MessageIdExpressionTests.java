package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.faultsOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.idempotency.Idempotent;
import dev.idempotency.Outcome;
import dev.idempotency.fixture.RecordingOutcomes;
import dev.idempotency.fixture.TestDelivery;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.expression.ExpressionParser;

/** Kinds K4 and K6: an expression gives the id, or no usable one, or ends the start (O38, O41, O42, O43, O64). */
@ExtendWith(OutputCaptureExtension.class)
class MessageIdExpressionTests {

    private static final String NONE = "null";

    static Stream<Arguments> readsId() {
        return Stream.of(
                Arguments.of("#order.id", order("7"), "7"),
                Arguments.of("#p0.id", order("7"), "7"),
                Arguments.of("#a0.id", order("7"), "7"),
                Arguments.of("#order.number", order("7"), "42"),
                Arguments.of("{#order.tenant, #order.id}", order("7"), "[\"acme\",\"7\"]"),
                Arguments.of("{'order#123', #order.id}", order("7"), "[\"order#123\",\"7\"]"),
                Arguments.of("#order.parts", order("7"), "[\"a\",\"b\"]"),
                Arguments.of("#order.id.bytes", order("7"), "7"),
                Arguments.of("@prefixer.prefix(#p0.id)", order("7"), "pre-7"),
                Arguments.of("{#p0.tenant, 'order#' + #a0.id}", order("7"), "[\"acme\",\"order#7\"]"),
                Arguments.of("'#order.id' + #order.id", order("7"), "#order.id7"),
                Arguments.of("'#{1}' + #order.id", order("7"), "#{1}7"),
                Arguments.of("@prefixer.prefix(#order.id)", order("7"), "pre-7"),
                Arguments.of("'${id.prefix}' + #order.id", order("7"), "conf-7"),
                Arguments.of("#order.id", order(" "), NONE),
                Arguments.of("#order.id", order(null), NONE),
                Arguments.of("{#order.tenant, #order.id}", order(null), NONE),
                Arguments.of("{#order.tenant, #order.id}", order(""), NONE),
                Arguments.of("{#order.nothing, #order.id}", order(null), NONE),
                Arguments.of("{#order.tenant, {#order.id}}", order("7"), NONE),
                Arguments.of("#order.ratio", order("7"), NONE));
    }

    @ParameterizedTest
    @MethodSource
    void readsId(String expression, Order order, String id) {
        application()
                .withPropertyValues("expression=" + expression, "id.prefix=conf-")
                .withBean("prefixer", Prefixer.class)
                .withBean(Listener.class)
                .run(context -> {
                    context.getBean(Listener.class).on(order);
                    assertThat(context.getBean(RecordingOutcomes.class).messageIds())
                            .containsExactly(id);
                });
    }

    static Stream<Arguments> readsReceivedMessage() {
        return Stream.of(
                Arguments.of("headers['x']", "h1"),
                Arguments.of("headers.x", "h1"),
                Arguments.of("body", "raw"),
                Arguments.of("{body, headers['x']}", "[\"raw\",\"h1\"]"),
                Arguments.of("body.concat(headers['x'])", "rawh1"),
                Arguments.of("headers['absent']", NONE));
    }

    @ParameterizedTest
    @MethodSource
    void readsReceivedMessage(String expression, String id) {
        application()
                .withPropertyValues("expression=" + expression)
                .withBean(Listener.class)
                .run(context -> {
                    Listener listener = context.getBean(Listener.class);
                    new TestDelivery("raw", Map.of("x", "h1"), null).deliver(() -> {
                        listener.on(order("7"));
                        return null;
                    });
                    assertThat(context.getBean(RecordingOutcomes.class).messageIds())
                            .containsExactly(id);
                });
    }

    static Stream<Arguments> refusesExpression() {
        return Stream.of(
                Arguments.of("#ordre.id", "No parameter has the name #ordre. Known are [a0, order, p0, root, this]."),
                Arguments.of(
                        "#headers['x']",
                        "What was received is no argument: headers is read without '#'. Write headers."),
                Arguments.of("#p1", "No parameter has the name #p1."),
                Arguments.of("order.id", "The received message has no 'order', only 'body' and 'headers'. For an"),
                Arguments.of("#order.id + suffix", "The received message has no 'suffix'"),
                Arguments.of("@prefixer.prefix(id)", "The received message has no 'id'"),
                Arguments.of("#order.id.concat(suffix)", "The received message has no 'suffix'"),
                Arguments.of("@nobody.prefix(#order)", "There is no bean @nobody."),
                Arguments.of("#md5(#order.id)", "There is no function #md5(#order.id)."),
                Arguments.of("'order'", "It is the same for every message"),
                Arguments.of("{'order', 1}", "It is the same for every message"),
                Arguments.of("#order..id", "It is no SpEL expression:"));
    }

    @ParameterizedTest
    @MethodSource
    void refusesExpression(String expression, String cause) {
        application()
                .withPropertyValues("expression=" + expression)
                .withBean("prefixer", Prefixer.class)
                .withBean(Listener.class)
                .run(context -> assertThat(faultsOf(context))
                        .singleElement()
                        .asString()
                        .startsWith(Listener.class.getName() + "#on: Attribute 'messageId': \"" + expression + "\". "
                                + cause));
    }

    @Test
    void readsPartsOfListsAndMapsByTheirOwnNames() {
        application()
                .withPropertyValues("expression=#order.lines.![sku]")
                .withBean(Listener.class)
                .run(context -> {
                    context.getBean(Listener.class).on(order("7"));
                    assertThat(context.getBean(RecordingOutcomes.class).messageIds())
                            .containsExactly("[\"s1\",\"s2\"]");
                });
    }

    @Test
    void countsMessageAsUnidentifiedWhenTheExpressionThrowsAndGoesOn(CapturedOutput output) {
        application()
                .withPropertyValues("expression=#order.tenant.substring(#order.id.length())")
                .withBean(Listener.class)
                .run(context -> {
                    Listener listener = context.getBean(Listener.class);
                    listener.on(order("much longer than the tenant"));
                    listener.on(order("1"));
                    assertThat(listener.handled()).isEqualTo(2);
                    assertThat(context.getBean(RecordingOutcomes.class).messageIds())
                            .containsExactly(NONE, "cme");
                    assertThat(output)
                            .contains("WARN")
                            .containsOnlyOnce("Message id cannot be read for consumer Listener.on.")
                            .contains("Correct 'messageId' of " + Listener.class.getName() + "#on, or the message.");
                });
    }

    // O42: parts that would be one text if they were only joined
    @Test
    void givesDifferentPartsDifferentIds() {
        application()
                .withPropertyValues("expression={#order.tenant, #order.id}")
                .withBean(Listener.class)
                .run(context -> {
                    Listener listener = context.getBean(Listener.class);
                    listener.on(new Order("a", "b,c"));
                    listener.on(new Order("a,b", "c"));
                    listener.on(new Order("a\",\"b", "c"));
                    listener.on(new Order("a", "b,c"));
                    assertThat(context.getBean(RecordingOutcomes.class).outcomes())
                            .containsExactly(
                                    Outcome.PROCESSED, Outcome.PROCESSED, Outcome.PROCESSED, Outcome.DUPLICATE);
                });
    }

    // O38
    @ParameterizedTest
    @ValueSource(strings = {"order#123", "#order.id", "#p0", "order#{1 + 1}", "#{systemProperties}", "@prefixer"})
    void takesConsumerForText(String consumer) {
        application()
                .withPropertyValues("consumer=" + consumer)
                .withBean("prefixer", Prefixer.class)
                .withBean(Named.class)
                .run(context -> assertThat(
                                context.getBean(RecordingOutcomes.class).consumers())
                        .containsExactly(consumer));
    }

    // O38: as it is in the source, where no property hides it
    @Test
    void takesNumberSignsInTheSourceForText() {
        application()
                .withBean(NamedInTheSource.class)
                .run(context -> assertThat(
                                context.getBean(RecordingOutcomes.class).consumers())
                        .containsExactly("order#{1 + 1}"));
    }

    @Test
    void resolvesPlaceholdersOnce() {
        Map<String, Object> properties = new ConcurrentHashMap<>(Map.of("expression", "#order.id"));
        application()
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource("changing", properties)))
                .withBean(Listener.class)
                .run(context -> {
                    properties.put("expression", "#order.tenant");
                    context.getBean(Listener.class).on(order("7"));
                    assertThat(context.getBean(RecordingOutcomes.class).messageIds())
                            .containsExactly("7");
                });
    }

    // With the test before: what is made once per method, and only once, is parsed there and nowhere else.
    @Test
    void parsesWhereItIsMadeOnly() {
        assertThat(new ClassFileImporter()
                                .withImportOption(new ImportOption.DoNotIncludeTests())
                                .importPackages("dev.idempotency.aop")
                                .stream()
                                .flatMap(type -> type.getMethodCallsFromSelf().stream())
                                .filter(call -> call.getTargetOwner().isAssignableTo(ExpressionParser.class))
                                // before there is an application
                                .filter(call -> !call.getOriginOwner().isEquivalentTo(ExpressionHints.class))
                                .map(call -> call.getOrigin().getFullName()))
                .singleElement()
                .asString()
                .startsWith(MessageIdExpression.class.getName() + ".<init>(");
    }

    private static Order order(String id) {
        return new Order("acme", id);
    }

    public record Order(String tenant, String id) {

        public double getRatio() {
            return 1.5;
        }

        public int getNumber() {
            return 42;
        }

        public String getNothing() {
            return null;
        }

        public String[] getParts() {
            return new String[] {"a", "b"};
        }

        public List<Map<String, String>> getLines() {
            return Arrays.asList(Map.of("sku", "s1"), Map.of("sku", "s2"));
        }
    }

    public static class Prefixer {
        public String prefix(String id) {
            return "pre-" + id;
        }
    }

    static class Listener {

        private int handled;

        @Idempotent(messageId = "${expression}")
        public void on(Order order) {
            handled++;
        }

        int handled() {
            return handled;
        }
    }

    static class Named {
        @Idempotent(consumer = "${consumer}")
        public void on(Order order) {}
    }

    static class NamedInTheSource {
        @Idempotent(consumer = "order#{1 + 1}")
        public void on(Order order) {}
    }
}
