package dev.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.idempotency.IdempotencyMode;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DeliverySequenceTests {

    @Test
    void readsAllSequencesOfTheKit() {
        assertThat(DeliverySequence.all())
                .hasSize(32)
                .allSatisfy(sequence -> assertThat(sequence.steps()).isNotEmpty())
                .extracting(DeliverySequence::name)
                .doesNotHaveDuplicates()
                .contains("duplicate-runs-once", "store-down-at-the-mark-settles");
    }

    @Test
    void usesEveryAction() {
        assertThat(DeliverySequence.all())
                .flatExtracting(DeliverySequence::steps)
                .extracting(Step::action)
                .containsAll(EnumSet.allOf(Step.Action.class));
    }

    @Test
    void isForAutoIfItIsForWhatAutoComesTo() {
        DeliverySequence claims = parse("{'deliver':'A','expect':'skip'}", "['CLAIM']");
        assertThat(claims.isFor(IdempotencyMode.CLAIM, IdempotencyMode.CLAIM)).isTrue();
        assertThat(claims.isFor(IdempotencyMode.AUTO, IdempotencyMode.CLAIM)).isTrue();
        assertThat(claims.isFor(IdempotencyMode.AUTO, IdempotencyMode.AFTER_SUCCESS))
                .isFalse();
        assertThat(claims.isFor(IdempotencyMode.TRANSACTIONAL, IdempotencyMode.TRANSACTIONAL))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    {'deliver':'A','expect':'perhaps'}                | 'expect' cannot be 'perhaps'
                    {'deliver':'A','expect':'run','outcome':'nap'}    | 'outcome' cannot be 'nap'
                    {'deliver':'A','expect':'run'}                    | an outcome is that of a run
                    {'deliver':'A','expect':'skip','outcome':'ok'}    | an outcome is that of a run
                    {'deliver':'A','expect':'skip','colour':'red'}    | 'deliver' has no 'colour'
                    {'do':'dance'}                                    | 'dance' is not known
                    {'do':'begin','id':'A'}                           | 'begin' has no 'id'
                    {'do':'start','id':'A','run':'r','renewal':'ok'}  | 'renewal' cannot be 'ok'
                    {'expect':'run'}                                  | neither a delivery nor an action
                    {'do':'begin','deliver':'A'}                      | neither a delivery nor an action
                    """)
    void refusesStepThatItDoesNotKnow(String step, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse(step, "'all'"))
                .withMessageContaining("strange, step 1")
                .withMessageContaining(message);
    }

    @Test
    void refusesMembersThatItDoesNotKnow() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DeliverySequence.parse(json("{'sequences':[],'more':[]}")))
                .withMessageContaining("'more' is not known");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DeliverySequence.parse(json("{'sequences':[]}")))
                .withMessageContaining("no sequences");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DeliverySequence.parse(
                        json("{'sequences':[{'name':'strange','modes':'all','order':1,'steps':[]}]}")))
                .withMessageContaining("strange: 'order' is not known");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DeliverySequence.parse(
                        json("{'sequences':[{'name':'strange','modes':'all','stores':'blue','steps':[]}]}")))
                .withMessageContaining("strange: stores");
        assertThatIllegalArgumentException().isThrownBy(() -> parse("{'do':'begin'}", "['SOMETIMES']"));
    }

    private static DeliverySequence parse(String step, String modes) {
        return DeliverySequence.parse(
                        json("{'sequences':[{'name':'strange','modes':" + modes + ",'steps':[" + step + "]}]}"))
                .get(0);
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text.replace('\'', '"'));
    }
}
