package dev.idempotency.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ScenarioTests {

    @Test
    void sameSeedGivesSameScenario() {
        assertThat(Scenario.of(7)).isEqualTo(Scenario.of(7)).isNotEqualTo(Scenario.of(8));
    }

    @Test
    void everySeedHasEnoughOfEachStory() {
        LongStream.range(0, 1_000).mapToObj(Scenario::of).forEach(scenario -> {
            assertThat(scenario.orders()).hasSize(200);
            assertThat(scenario.sends()).hasSizeGreaterThanOrEqualTo(576);
            assertThat(count(scenario, Story.FAILING)).isGreaterThanOrEqualTo(22);
            assertThat(count(scenario, Story.OVERLAPPING)).isGreaterThanOrEqualTo(105);
            assertThat(count(scenario, Story.UNIDENTIFIED)).isPositive();
            assertThat(count(scenario, Story.PLAIN)).isPositive();
        });
    }

    @Test
    void unidentifiedOrdersAreSentOnce() {
        Scenario scenario = Scenario.of(7);

        assertThat(scenario.sends().stream().filter(send -> send.story() == Story.UNIDENTIFIED))
                .doesNotHaveDuplicates();
    }

    @Test
    void firstTwoCopiesOfAnOverlappingOrderStandTogether() {
        var sends = Scenario.of(7).sends();

        assertThat(sends.stream().filter(OrderPlan::startsWithPair).distinct()).allSatisfy(plan -> {
            int first = sends.indexOf(plan);
            assertThat(sends.get(first + 1)).isEqualTo(plan);
        });
    }

    private static long count(Scenario scenario, Story story) {
        return scenario.orders().stream().filter(plan -> plan.story() == story).count();
    }
}
