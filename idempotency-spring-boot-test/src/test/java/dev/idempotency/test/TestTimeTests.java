package dev.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TestTimeTests {

    @Test
    void movesTheClockAndNothingElseDoes() {
        MutableClock clock = new MutableClock(Instant.EPOCH);
        TestTime time = TestTime.of(clock);
        time.pass(Duration.ofDays(1));
        assertThat(clock.instant()).isEqualTo(Instant.EPOCH.plusSeconds(86_400));
        clock.advance(Duration.ofDays(-2));
        assertThat(clock.instant()).isEqualTo(Instant.EPOCH.minusSeconds(86_400));
        clock.set(Instant.EPOCH);
        assertThat(clock.instant()).isEqualTo(Instant.EPOCH);
        assertThat(time.moment()).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void waitsAtLeastTheTimeWhereNoClockCanBeMoved() {
        TestTime time = TestTime.real(Duration.ofMillis(200));
        long start = System.nanoTime();
        time.pass(Duration.ofMillis(50));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
        assertThat(time.moment()).isEqualTo(Duration.ofMillis(200));
    }
}
