package dev.idempotency.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.scenario.HaltingApplication.Moment;
import dev.idempotency.scenario.HaltingApplication.Payments;
import dev.idempotency.test.H2TransactionalStore;
import dev.idempotency.test.RecordingListener;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.assertj.core.util.Files;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** K1: a process that ends between the effect and its mark, in a real process of its own (O03). */
class HaltedProcessTests {

    @TempDir
    private Path directory;

    private String url;

    @BeforeEach
    void chooseDatabase() {
        // What is committed is in the file at once.
        url = "jdbc:h2:file:" + directory.resolve("payments") + ";WRITE_DELAY=0;LOCK_TIMEOUT=200";
    }

    @Test
    void leavesNeitherEffectNorMarkInATransactionThatDidNotCommit() throws Exception {
        halt("transactional", Moment.AFTER_THE_EFFECT);

        try (ConfigurableApplicationContext context = restart("transactional")) {
            assertThat(payments(context)).isZero();
            assertThat(isMarked(context)).isFalse();

            assertThat(deliver(context)).isEqualTo(Outcome.PROCESSED);
            assertThat(payments(context)).isOne();
        }
    }

    @Test
    void leavesBothEffectAndMarkInATransactionThatDid() throws Exception {
        halt("transactional", Moment.AFTER_THE_COMMIT);

        try (ConfigurableApplicationContext context = restart("transactional")) {
            assertThat(payments(context)).isOne();
            assertThat(isMarked(context)).isTrue();

            assertThat(deliver(context)).isEqualTo(Outcome.DUPLICATE);
            assertThat(payments(context)).isOne();
        }
    }

    // the window that the other modes have, as the README says
    @Test
    void leavesTheEffectWithoutItsMarkInModeAfterSuccess() throws Exception {
        halt("after-success", Moment.AFTER_THE_COMMIT);

        try (ConfigurableApplicationContext context = restart("after-success")) {
            assertThat(payments(context)).isOne();
            assertThat(isMarked(context)).isFalse();

            assertThat(deliver(context)).isEqualTo(Outcome.PROCESSED);
            assertThat(payments(context)).isEqualTo(2);
        }
    }

    private void halt(String mode, Moment moment) throws IOException, InterruptedException {
        File output = directory.resolve("output").toFile();
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        HaltingApplication.class.getName(),
                        url,
                        mode,
                        moment.name()))
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as(() -> "Output of the process: " + contentOf(output))
                .isEqualTo(HaltingApplication.HALTED);
    }

    private static String contentOf(File file) {
        return Files.contentOf(file, StandardCharsets.UTF_8);
    }

    private ConfigurableApplicationContext restart(String mode) {
        return HaltingApplication.start(url, mode, Moment.NEVER);
    }

    private static Outcome deliver(ConfigurableApplicationContext context) {
        context.getBean(Payments.class).on(Map.of("meta", Map.of("id", "A")));
        List<Outcome> outcomes = context.getBean(RecordingListener.class).outcomes();
        return outcomes.get(outcomes.size() - 1);
    }

    private static int payments(ConfigurableApplicationContext context) {
        return context.getBean(JdbcTemplate.class)
                .queryForList("select id from payment")
                .size();
    }

    private static boolean isMarked(ConfigurableApplicationContext context) {
        return context.getBean(H2TransactionalStore.class).seen(MessageKey.of("payments", "A"));
    }
}
