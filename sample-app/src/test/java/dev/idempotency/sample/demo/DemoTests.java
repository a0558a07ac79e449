package dev.idempotency.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Claim;
import dev.idempotency.ClaimingIdempotencyStore;
import dev.idempotency.MessageKey;
import dev.idempotency.sample.SampleApplication;
import dev.idempotency.store.memory.InMemoryIdempotencyStore;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class DemoTests {

    private static final Pattern LAST_LINE =
            Pattern.compile("demo: orders=200 deliveries=(\\d+) effects=(\\d+) duplicates=(\\d+) in-flight=(\\d+)"
                    + " failures=(\\d+) unidentified=(\\d+) lost=(\\d+) doubled=(\\d+)");

    @Test
    void endsWithNothingLostAndNothingDoubled() {
        Run run = play(List.of(SampleApplication.class));

        assertThat(run.output()).noneMatch(line -> line.contains("DEVIATION"));
        assertThat(run.exitCode()).isZero();
        assertThat(run.figure(7)).as("lost").isZero();
        assertThat(run.figure(8)).as("doubled").isZero();
        assertThat(run.figure(2)).as("effects").isEqualTo(200);
        assertThat(run.figure(1))
                .as("deliveries")
                .isGreaterThanOrEqualTo(600)
                .isEqualTo(run.figure(2) + run.figure(3) + run.figure(4) + run.figure(5));
    }

    @Test
    void failsIfTheGuardForgets() {
        Run run = play(
                List.of(SampleApplication.class, ForgetfulStoreConfiguration.class),
                "--idempotency.lease=300ms",
                "--demo.timeout=20s");

        assertThat(run.exitCode()).isOne();
        assertThat(run.figure(8)).as("doubled").isPositive();
        assertThat(run.output()).anyMatch(line -> line.startsWith("demo: DEVIATION doubled payments: "));
    }

    @Test
    void failsAndSaysWhatIsMissingIfItDoesNotConverge() {
        Run run = play(List.of(SampleApplication.class), "--demo.timeout=1ms");

        assertThat(run.exitCode()).isOne();
        assertThat(run.output()).anyMatch(line -> line.startsWith("demo: DEVIATION messages left on the queue: "));
    }

    private static Run play(List<Class<?>> sources, String... arguments) {
        SpringApplication application = new SpringApplication(sources.toArray(Class[]::new));
        application.setAdditionalProfiles(Demo.PROFILE);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int exitCode = Demo.play(application.run(arguments), new PrintStream(out, true, StandardCharsets.UTF_8));
        List<String> output = out.toString(StandardCharsets.UTF_8).lines().toList();
        // For whoever reads a failed build: the seed is in it.
        output.forEach(System.out::println);
        return new Run(exitCode, output);
    }

    private record Run(int exitCode, List<String> output) {

        int figure(int group) {
            String last = output.get(output.size() - 1);
            Matcher matcher = LAST_LINE.matcher(last);
            assertThat(matcher.matches()).as(last).isTrue();
            return Integer.parseInt(matcher.group(group));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ForgetfulStoreConfiguration {

        @Bean
        ClaimingIdempotencyStore forgetfulStore() {
            return new ForgetfulStore(new InMemoryIdempotencyStore(Duration.ofDays(1), 10_000));
        }
    }

    /** Claims as it should, but every mark is a no-op. */
    private record ForgetfulStore(InMemoryIdempotencyStore delegate) implements ClaimingIdempotencyStore {

        @Override
        public boolean remember(MessageKey key) {
            return true;
        }

        @Override
        public boolean complete(MessageKey key, String owner) {
            return true;
        }

        @Override
        public boolean seen(MessageKey key) {
            return delegate.seen(key);
        }

        @Override
        public void forget(MessageKey key) {
            delegate.forget(key);
        }

        @Override
        public Claim claim(MessageKey key, String owner, Duration lease) {
            return delegate.claim(key, owner, lease);
        }

        @Override
        public boolean renew(MessageKey key, String owner, Duration lease) {
            return delegate.renew(key, owner, lease);
        }

        @Override
        public void release(MessageKey key, String owner) {
            delegate.release(key, owner);
        }
    }
}
