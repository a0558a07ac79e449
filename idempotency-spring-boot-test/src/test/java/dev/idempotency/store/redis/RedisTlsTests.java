package dev.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.MessageKey;
import dev.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import redis.embedded.RedisServer;

/** The store behind TLS, as Boot configures it. */
class RedisTlsTests {

    private static final MessageKey KEY = MessageKey.of("payments", "A");
    private static final String PASSWORD = "changeit";

    @TempDir
    private Path directory;

    private RedisServer server;
    private int port;

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    SslAutoConfiguration.class,
                    DataRedisAutoConfiguration.class,
                    IdempotencyAutoConfiguration.class))
            .withPropertyValues("idempotency.store=redis", "idempotency.namespace=tls", "spring.data.redis.timeout=2s");

    @BeforeEach
    void start() throws Exception {
        writeCertificate();
        port = RedisServers.freePort();
        server = RedisServers.start(
                "tls-port " + port,
                "tls-cert-file " + directory.resolve("certificate.pem"),
                "tls-key-file " + directory.resolve("key.pem"),
                "tls-ca-cert-file " + directory.resolve("certificate.pem"),
                "tls-auth-clients no");
    }

    @AfterEach
    void stop() {
        RedisServers.stop(server);
    }

    @Test
    void marksOverAnEncryptedConnection() {
        application
                .withPropertyValues(
                        "spring.data.redis.port=" + port,
                        "spring.data.redis.ssl.bundle=redis",
                        "spring.ssl.bundle.pem.redis.truststore.certificate=file:"
                                + directory.resolve("certificate.pem"))
                .run(context -> {
                    RedisIdempotencyStore store = context.getBean(RedisIdempotencyStore.class);
                    assertThat(store.remember(KEY)).isTrue();
                    assertThat(store.seen(KEY)).isTrue();
                });
        application
                .withPropertyValues("spring.data.redis.port=" + server.ports().get(0))
                .run(context -> assertThat(
                                context.getBean(RedisIdempotencyStore.class).seen(KEY))
                        .isTrue());
    }

    // with a tool of the JDK: the server wants texts
    private void writeCertificate() throws Exception {
        Path store = directory.resolve("redis.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "redis",
                        "-keyalg",
                        "RSA",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        Key key = keys.getKey("redis", PASSWORD.toCharArray());
        writeText("key.pem", "PRIVATE KEY", key.getEncoded());
        writeText("certificate.pem", "CERTIFICATE", keys.getCertificate("redis").getEncoded());
    }

    private void writeText(String file, String kind, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        Files.writeString(
                directory.resolve(file), "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }
}
