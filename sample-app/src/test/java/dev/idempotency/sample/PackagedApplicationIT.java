package dev.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The jar as the README starts it, and with what was made of its context ahead of time. O80 */
class PackagedApplicationIT {

    private static final Duration START = Duration.ofSeconds(90);
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");
    private static final String AHEAD_OF_TIME = "Starting AOT-processed SampleApplication";
    private static final JsonMapper JSON = JsonMapper.shared();

    @Test
    void chargesOnce(@TempDir Path directory) throws Exception {
        try (Application application = Application.start(directory)) {
            application.expectOnePaymentHoweverOftenTheMessageArrives();
            assertThat(application.output()).doesNotContain(AHEAD_OF_TIME);
        }
    }

    @Test
    void chargesOnceIfProcessedAheadOfTime(@TempDir Path directory) throws Exception {
        try (Application application = Application.start(directory, "-Dspring.aot.enabled=true")) {
            application.expectOnePaymentHoweverOftenTheMessageArrives();
            assertThat(application.output()).contains(AHEAD_OF_TIME);
        }
    }

    // K9: two instances that each remember for themselves would both charge
    @Test
    void refusesAnotherStoreThanItWasProcessedFor(@TempDir Path directory) throws Exception {
        try (Application application =
                Application.start(directory, "-Dspring.aot.enabled=true", "-Didempotency.store=redis")) {
            assertThat(application.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(application.output())
                    .contains("idempotency.store", "The application was processed ahead of time for JDBC.");
            assertThat(application.process().exitValue()).isNotZero();
        }
    }

    /** A process of its own, whose output is shown if it does not do what it should. */
    private record Application(Process process, Path log) implements AutoCloseable {

        static Application start(Path directory, String... options) throws IOException {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(List.of(options));
            command.addAll(List.of("-jar", jar().toString(), "--server.port=0"));
            Path log = directory.resolve("output.log");
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            return new Application(process, log);
        }

        // As the README names it: exactly one file may match.
        private static Path jar() throws IOException {
            try (Stream<Path> files = Files.list(Path.of("target"))) {
                List<Path> jars = files.filter(
                                file -> file.getFileName().toString().matches("sample-app-.*\\.jar"))
                        .toList();
                assertThat(jars).hasSize(1);
                return jars.get(0).toAbsolutePath();
            }
        }

        void expectOnePaymentHoweverOftenTheMessageArrives() throws Exception {
            try {
                URI server = URI.create("http://localhost:" + port());
                JsonNode published = send(post(server.resolve("/orders"), "{\"orderId\":\"42\",\"amount\":12.50}"));
                assertThat(published.path("messages").asInt()).isOne();
                JsonNode again = send(post(server.resolve("/orders/42/redeliver?times=3"), ""));
                assertThat(again.path("messages").asInt()).isEqualTo(3);
                URI duplicates = server.resolve("/actuator/metrics/idempotency.messages?tag=outcome:duplicate");
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> send(get(duplicates))
                                        .at("/measurements/0/value")
                                        .asInt()
                                == 3);
                JsonNode payments = send(get(server.resolve("/orders/42/payments")));
                assertThat(payments.size()).isOne();
                assertThat(payments.at("/0/amount").asDouble()).isEqualTo(12.5);
            } catch (Exception | AssertionError ex) {
                System.out.println(output());
                throw ex;
            }
        }

        private String port() throws IOException {
            await().atMost(START)
                    .until(() -> !process.isAlive() || PORT.matcher(output()).find());
            Matcher port = PORT.matcher(output());
            assertThat(port.find()).as("started").isTrue();
            return port.group(1);
        }

        String output() throws IOException {
            return Files.readString(log, StandardCharsets.UTF_8);
        }

        @Override
        public void close() {
            process.destroy();
            try {
                if (process.waitFor(20, TimeUnit.SECONDS)) {
                    return;
                }
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
            }
            process.destroyForcibly();
        }

        private static HttpRequest get(URI uri) {
            return HttpRequest.newBuilder(uri).GET().build();
        }

        private static HttpRequest post(URI uri, String body) {
            return HttpRequest.newBuilder(uri)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(body))
                    .build();
        }

        private static JsonNode send(HttpRequest request) throws IOException, InterruptedException {
            HttpResponse<String> response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
            assertThat(response.statusCode()).as(request.uri().getPath()).isBetween(200, 299);
            return JSON.readTree(response.body());
        }
    }
}
