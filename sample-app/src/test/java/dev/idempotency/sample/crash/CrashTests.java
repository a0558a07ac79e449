package dev.idempotency.sample.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** K1, O03, O05: a consumer that is killed at any moment has charged each order once. The small form. */
class CrashTests {

    @TempDir
    private Path directory;

    @Test
    @Timeout(240)
    void chargesEachOrderOnceThoughItsConsumerIsKilled() throws Exception {
        Crash.Result result = new Crash(60, 2, directory).run();

        assertThat(result).isEqualTo(new Crash.Result(60, 2, 0, 0));
    }

    // else the one above would prove nothing
    @Test
    @Timeout(240)
    void chargesOrdersTwiceWithoutTheGuard() throws Exception {
        Crash.Result result = new Crash(60, 2, directory, "--idempotency.enabled=false").run();

        assertThat(result.lost()).isZero();
        assertThat(result.doubled()).isPositive();
    }
}
