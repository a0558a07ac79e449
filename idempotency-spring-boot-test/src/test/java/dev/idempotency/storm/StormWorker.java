package dev.idempotency.storm;

import dev.idempotency.IdempotencyListener;
import dev.idempotency.Idempotent;
import dev.idempotency.MessageOutcome;
import dev.idempotency.Outcome;
import dev.idempotency.storm.LogEntry.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jms.annotation.JmsListener;

/** One of the processes that handle the messages of a storm, until somebody ends it. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(StormWorker.Handler.class)
class StormWorker {

    static final String QUEUE = "storm";

    /** Takes properties as arguments, {@code --name=value}. */
    public static void main(String... arguments) {
        new SpringApplicationBuilder(StormWorker.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.banner-mode=off",
                        "spring.artemis.mode=native",
                        "spring.data.redis.timeout=5s",
                        "spring.data.redis.connect-timeout=5s",
                        "idempotency.store=redis",
                        "idempotency.namespace=storm",
                        "idempotency.lease=10s",
                        // copies of what a killed process had in work shall not keep all consumers waiting
                        "idempotency.in-flight-wait=200ms",
                        "idempotency.later-delay=10ms",
                        "logging.level.root=warn")
                .run(arguments);
    }

    @Bean
    WorkLog workLog(Environment environment) throws IOException {
        return new WorkLog(Path.of(environment.getRequiredProperty("storm.log")));
    }

    // The guard tells of a success after its mark is in the store.
    @Bean
    IdempotencyListener marks(WorkLog log) {
        return new IdempotencyListener() {
            @Override
            public void onOutcome(MessageOutcome outcome) {
                if (outcome.outcome() == Outcome.PROCESSED || outcome.outcome() == Outcome.OVERLAPPED) {
                    log.add(Objects.requireNonNull(outcome.messageId()), Kind.MARKED);
                }
            }
        };
    }

    static class Handler {

        private final Set<String> failed = ConcurrentHashMap.newKeySet();
        private final WorkLog log;

        Handler(WorkLog log) {
            this.log = log;
        }

        @JmsListener(destination = QUEUE, concurrency = "${storm.threads}")
        @Idempotent(consumer = "storm")
        void on(String id) throws InterruptedException {
            log.add(id, Kind.BEGUN);
            Thread.sleep(ThreadLocalRandom.current().nextLong(20));
            if (id.endsWith("7") && failed.add(id)) {
                log.add(id, Kind.FAILED);
                throw new IllegalStateException("A tenth of the messages fails at first");
            }
            log.add(id, Kind.DONE);
        }
    }
}
