package dev.idempotency.storm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How large a storm is.
 *
 * @param ids distinct messages, each of which is delivered four times
 * @param processes how many handle them
 * @param threads how many consumers each of those has
 * @param kills how many processes are killed: by what is settled, not by time, since machines differ
 * @param fewestKills how many kills must have hit a handler in work, or the storm proves nothing
 */
record StormPlan(int ids, int processes, int threads, int kills, int fewestKills) {

    static final int COPIES = 4;

    // Copies are near one another, so that many meet the first in work.
    private static final int WINDOW = 25;

    Set<String> messages() {
        return IntStream.range(0, ids).mapToObj(i -> "storm-" + i).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Whether another process is to be killed, once so many deliveries are settled. */
    boolean isTimeToKill(long settled, int killed) {
        return killed < kills && settled * (kills + 1) >= (long) ids * COPIES * (killed + 1);
    }

    /** All deliveries, in the order in which they are sent. */
    List<String> deliveries(Random random) {
        List<String> deliveries = new ArrayList<>();
        List<String> window = new ArrayList<>();
        for (String id : messages()) {
            window.addAll(Collections.nCopies(COPIES, id));
            if (window.size() == WINDOW * COPIES) {
                Collections.shuffle(window, random);
                deliveries.addAll(window);
                window.clear();
            }
        }
        deliveries.addAll(window);
        return deliveries;
    }
}
