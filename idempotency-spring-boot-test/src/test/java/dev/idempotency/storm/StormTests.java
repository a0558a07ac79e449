package dev.idempotency.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** K1, K2, K12: the small form of the storm. O01, O27, O30 */
class StormTests {

    @TempDir
    private Path directory;

    @Test
    @Timeout(300)
    void losesAndDoublesNothingWhileProcessesAreKilled() throws Exception {
        StormPlan plan = new StormPlan(600, 2, 4, 4, 1);

        Tally tally = new Storm(plan, directory).run();

        assertThat(tally.kills()).isGreaterThanOrEqualTo(plan.fewestKills());
        assertThat(tally).isEqualTo(new Tally(plan.ids(), tally.kills(), 0, 0, tally.excused()));
    }
}
