package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.faultsOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.idempotency.Idempotent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** Kind K6: a name that no argument can have ends the start, and one that some argument may have does not (O64). */
class MemberCheckTests {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "#order.ordrId | Order has no property 'ordrId', only [id, customer, lines, parent, either].",
                "#p0.ordrId | Order has no property 'ordrId'",
                "#order.orderId() | Order has no method 'orderId', only [id, customer, lines, parent, either].",
                "#order?.ordrId | Order has no property 'ordrId'",
                "#order.customer.nam | Customer has no property 'nam', only [name].",
                "#order.customer().nam | Customer has no property 'nam'",
                "#order.id.size | String has no property 'size'. Correct the name.",
                "#order.parent.ordrId | Order has no property 'ordrId'",
                "#order.ID | Order has no property 'ID'",
                "{#order.id, #order.costumer} | Order has no property 'costumer'",
                "#order.id == null ? #order.id : #order.idd | Order has no property 'idd'",
                "#order.id.concat(#order.idd) | Order has no property 'idd'",
                "#closed.keys | Closed has no property 'keys'. Correct the name.",
                "#uuid.mostSignificant | UUID has no property 'mostSignificant'"
            })
    void refusesNameThatTheClassDoesNotHave(String expression, String fault) {
        application()
                .withPropertyValues("expression=" + expression)
                .withBean(Listener.class)
                .run(context ->
                        assertThat(faultsOf(context)).singleElement().asString().contains(fault));
        assertThatExceptionOfType(SpelEvaluationException.class).isThrownBy(() -> evaluate(expression));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#order.id",
                "#order.id()",
                "#order.id.length",
                "#order.class.name",
                "#order.name",
                "#order.customer.name.bytes",
                "#order.customer?.name",
                "#order.id.length()",
                "#order.id.concat('x').trim()",
                "#order.lines[0].bogus",
                "#order.lines.bogus",
                "#order.either?.bogus",
                "#open.bogus",
                "#open.bogus()",
                "#map.bogus",
                "#closedMap.bogus",
                "#array.length",
                "#either?.bogus",
                "#closed.key",
                "#closed.secret()",
                "#closed.plain",
                "#uuid.mostSignificantBits",
                "#uuid.toString()"
            })
    void takesNameThatSomeArgumentMayHave(String expression) {
        application()
                .withPropertyValues("expression=" + expression)
                .withBean(Listener.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static Object evaluate(String expression) {
        Order parent = new Order("0", new Customer("c"), List.of(), null, Optional.empty());
        StandardEvaluationContext context = new StandardEvaluationContext();
        Order order = new Order("1", new Customer("c"), List.of(), parent, Optional.empty());
        context.setVariables(Map.of("order", order, "p0", order, "closed", new Closed(), "uuid", UUID.randomUUID()));
        return new SpelExpressionParser().parseRaw(expression).getValue(context);
    }

    static class Listener {
        @Idempotent(messageId = "${expression}")
        public void on(
                Order order,
                Open open,
                Closed closed,
                Map<String, Object> map,
                ClosedMap closedMap,
                String[] array,
                Optional<Order> either,
                UUID uuid) {}
    }

    record Customer(String name) {}

    record Order(String id, Customer customer, List<Customer> lines, Order parent, Optional<Customer> either) {
        public String getName() {
            return customer.name();
        }
    }

    static class Open {}

    static final class ClosedMap extends HashMap<String, Object> {}

    static final class Closed {

        public final String plain = "p";

        public String getKey() {
            return "k";
        }

        public String secret() {
            return "s";
        }
    }
}
