package dev.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.sample.readme.Page;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The application as it is started from the command line: real broker, real port, all exporters. */
class OrdersOverHttpTests {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static ConfigurableApplicationContext context;

    @BeforeAll
    static void start() {
        context = SpringApplication.run(SampleApplication.class, "--server.port=0");
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @Test
    void chargesOrderOnceHoweverOftenItsMessageArrives() {
        long processed = count("processed");
        long duplicates = count("duplicate");

        JsonNode published = json(post("/orders", "{\"orderId\":\"4711\",\"amount\":12.50}", 202));
        JsonNode again = json(post("/orders/4711/redeliver?times=3", "", 202));

        assertThat(again.path("messageId").asString())
                .isNotBlank()
                .isEqualTo(published.path("messageId").asString());
        await().atMost(Duration.ofSeconds(10)).until(() -> count("duplicate") == duplicates + 3);
        assertThat(count("processed")).isEqualTo(processed + 1);
        String payments = get("/orders/4711/payments", 200);
        assertThat(json(payments).size()).isOne();
        assertThat(payments).contains("\"amount\":12.50");
    }

    @Test
    void chargesEachOrder() {
        String first =
                json(post("/orders", "{\"amount\":1}", 202)).path("orderId").asString();
        String second =
                json(post("/orders", "{\"amount\":2}", 202)).path("orderId").asString();

        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(json(get("/payments", 200))
                                .valueStream()
                                .map(payment -> payment.path("orderId").asString()))
                        .containsOnlyOnce(first, second));
    }

    @Test
    void refusesWhatIsNoOrder() {
        post("/orders", "{\"amount\":0}", 400);
        post("/orders", "{}", 400);
        post("/orders/unknown/redeliver", "", 404);
        post("/orders", "{\"orderId\":\"twice\",\"amount\":1}", 202);
        post("/orders", "{\"orderId\":\"twice\",\"amount\":1}", 409);
        post("/orders/twice/redeliver?times=0", "", 400);
        post("/orders/twice/redeliver?times=101", "", 400);
    }

    @Test
    void exposesOutcomesToPrometheus() {
        assertThat(get("/actuator/prometheus", 200))
                .contains("idempotency_messages_total{consumer=\"payments\",outcome=\"duplicate\"}");
        assertThat(json(get("/actuator/health", 200)).path("status").asString()).isEqualTo("UP");
    }

    @Test
    void hasWhateverTheDocumentationNamesThatIsNoProperty() {
        // some are there from the first message on
        long processed = count("processed");
        post("/orders", "{\"amount\":3}", 202);
        await().atMost(Duration.ofSeconds(10)).until(() -> count("processed") > processed);
        assertThat(json(get("/actuator/metrics", 200))
                        .path("names")
                        .valueStream()
                        .map(JsonNode::asString))
                .containsAll(Page.all().stream()
                        .flatMap(page -> page.meters().stream())
                        // of the store in memory only
                        .filter(name -> !name.equals("idempotency.store.entries"))
                        .toList());
    }

    private static long count(String outcome) {
        return json(get("/actuator/metrics/idempotency.messages?tag=outcome:" + outcome, 200))
                .path("measurements")
                .path(0)
                .path("value")
                .asLong();
    }

    private static JsonNode json(String text) {
        return JSON.readTree(text);
    }

    private static String get(String path, int status) {
        return send(request(path).GET().build(), status);
    }

    private static String post(String path, String body, int status) {
        return send(
                request(path)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                status);
    }

    private static HttpRequest.Builder request(String path) {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
    }

    private static String send(HttpRequest request, int status) {
        try {
            HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
            assertThat(response.statusCode()).as(request.uri().getPath()).isEqualTo(status);
            return response.body();
        } catch (java.io.IOException | InterruptedException ex) {
            throw new AssertionError(request + " failed", ex);
        }
    }
}
