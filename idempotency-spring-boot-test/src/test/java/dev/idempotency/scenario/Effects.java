package dev.idempotency.scenario;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What the handlers did: the only thing that counts. */
final class Effects {

    private final List<String> all = new CopyOnWriteArrayList<>();

    void add(String effect) {
        all.add(effect);
    }

    int count() {
        return all.size();
    }

    List<String> all() {
        return List.copyOf(all);
    }

    long of(String effect) {
        return all.stream().filter(effect::equals).count();
    }
}
