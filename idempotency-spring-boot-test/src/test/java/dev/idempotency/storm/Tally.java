package dev.idempotency.storm;

import dev.idempotency.storm.LogEntry.Kind;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a storm came to. A message that was done twice is excused only if the process that did it before was killed after
 * that and before its mark: this is the window that every mode but TRANSACTIONAL leaves.
 *
 * @param ids distinct messages
 * @param kills processes that were killed with a handler in work
 * @param lost messages that nobody has done
 * @param doubled messages that were done once more, without an excuse
 * @param excused further runs that are excused
 */
record Tally(int ids, int kills, int lost, int doubled, int excused) {

    static Tally of(Set<String> ids, Set<Long> killed, List<LogEntry> log) {
        Map<String, List<LogEntry>> byMessage = log.stream().collect(Collectors.groupingBy(LogEntry::messageId));
        int lost = 0;
        int doubled = 0;
        int excused = 0;
        for (String id : ids) {
            List<LogEntry> entries = byMessage.getOrDefault(id, List.of());
            List<LogEntry> done = of(entries, Kind.DONE);
            if (done.isEmpty()) {
                lost++;
                continue;
            }
            long earlier = done.size() - 1L;
            long excuses = done.stream()
                    .limit(earlier)
                    .filter(each -> killed.contains(each.processId()) && !isMarked(each, entries))
                    .count();
            excused += (int) excuses;
            doubled += excuses < earlier ? 1 : 0;
        }
        return new Tally(ids.size(), killsInWork(killed, log), lost, doubled, excused);
    }

    private static List<LogEntry> of(List<LogEntry> entries, Kind kind) {
        return entries.stream()
                .filter(each -> each.kind() == kind)
                .sorted(Comparator.comparing(LogEntry::at))
                .toList();
    }

    private static boolean isMarked(LogEntry done, List<LogEntry> entries) {
        return entries.stream()
                .anyMatch(each -> each.kind() == Kind.MARKED
                        && each.processId() == done.processId()
                        && !each.at().isBefore(done.at()));
    }

    private static int killsInWork(Set<Long> killed, List<LogEntry> log) {
        Map<Long, Set<String>> inWork = new HashMap<>();
        for (LogEntry each : log) {
            Set<String> ids = inWork.computeIfAbsent(each.processId(), process -> new HashSet<>());
            switch (each.kind()) {
                case BEGUN -> ids.add(each.messageId());
                case FAILED, DONE -> ids.remove(each.messageId());
                case MARKED -> {}
            }
        }
        return (int) killed.stream()
                .filter(process -> !inWork.getOrDefault(process, Set.of()).isEmpty())
                .count();
    }

    @Override
    public String toString() {
        return "storm: ids=" + ids + " kills=" + kills + " lost=" + lost + " doubled=" + doubled + " excused="
                + excused;
    }
}
