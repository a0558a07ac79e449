package dev.idempotency.storm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.storm.LogEntry.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TallyTests {

    private static final long FIRST = 1;
    private static final long SECOND = 2;

    private final List<LogEntry> log = new ArrayList<>();

    private TallyTests logs(long process, Kind... kinds) {
        for (Kind kind : kinds) {
            log.add(new LogEntry("A", process, kind, Instant.ofEpochSecond(log.size())));
        }
        return this;
    }

    private Tally tally(Long... killed) {
        return Tally.of(Set.of("A"), Set.of(killed), log);
    }

    @Test
    void countsAMessageThatWasDoneOnce() {
        logs(FIRST, Kind.BEGUN, Kind.FAILED).logs(SECOND, Kind.BEGUN, Kind.DONE, Kind.MARKED);

        assertThat(tally()).isEqualTo(new Tally(1, 0, 0, 0, 0));
    }

    @Test
    void countsAMessageThatNobodyHasDoneAsLost() {
        logs(FIRST, Kind.BEGUN, Kind.FAILED);

        assertThat(tally()).isEqualTo(new Tally(1, 0, 1, 0, 0));
    }

    @Test
    void excusesARunAfterAKillBetweenEffectAndMark() {
        logs(FIRST, Kind.BEGUN, Kind.DONE).logs(SECOND, Kind.BEGUN, Kind.DONE, Kind.MARKED);

        assertThat(tally(FIRST)).isEqualTo(new Tally(1, 0, 0, 0, 1));
    }

    @Test
    void excusesNoRunAfterAMark() {
        logs(FIRST, Kind.BEGUN, Kind.DONE, Kind.MARKED).logs(SECOND, Kind.BEGUN, Kind.DONE);

        assertThat(tally(FIRST)).isEqualTo(new Tally(1, 0, 0, 1, 0));
        assertThat(tally(SECOND)).isEqualTo(new Tally(1, 0, 0, 1, 0));
    }

    @Test
    void excusesNoRunAfterAProcessThatWasNotKilled() {
        logs(FIRST, Kind.BEGUN, Kind.DONE).logs(SECOND, Kind.BEGUN, Kind.DONE, Kind.MARKED);

        assertThat(tally()).isEqualTo(new Tally(1, 0, 0, 1, 0));
        assertThat(tally(SECOND)).isEqualTo(new Tally(1, 0, 0, 1, 0));
    }

    @Test
    void countsKillsThatHitAHandlerInWork() {
        logs(FIRST, Kind.BEGUN).logs(SECOND, Kind.BEGUN, Kind.DONE, Kind.MARKED);

        assertThat(tally(FIRST, SECOND)).isEqualTo(new Tally(1, 1, 0, 0, 0));
    }

    @Test
    void readsWhatItHasWritten() {
        LogEntry entry = new LogEntry("A", FIRST, Kind.DONE, Instant.parse("2026-01-02T03:04:05.678901Z"));

        assertThat(LogEntry.parse(entry.toString())).isEqualTo(entry);
        assertThat(entry).hasToString("A 1 DONE 2026-01-02T03:04:05.678901Z");
    }
}
