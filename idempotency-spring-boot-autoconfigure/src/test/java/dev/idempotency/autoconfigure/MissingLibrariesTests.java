package dev.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.bare.BareApplication;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * Kind K14: every library is optional (O77, O78). Each application is loaded anew from a class path that really lacks
 * the library: one whose class loader merely hides it would find the classes of the guard linked already.
 */
@ExtendWith(OutputCaptureExtension.class)
class MissingLibrariesTests {

    private static final String JMS = "spring-jms|jakarta\\.jms-api";
    private static final String MESSAGING = "spring-messaging";
    private static final String JACKSON = "jackson-.*";
    private static final String MICROMETER = "micrometer-.*|spring-boot-micrometer-.*|HdrHistogram|LatencyUtils";
    // which makes a DataSource, and so needs what one is made of
    private static final String BOOT_JDBC = "spring-boot-jdbc|spring-boot-sql|HikariCP";
    private static final String TRANSACTIONS = "spring-tx|spring-jdbc|" + BOOT_JDBC;

    private static final String REDIS = "spring-data-.*";
    private static final String REACTOR = "reactor-core";
    private static final String REACTIVE = REACTOR + "|rxjava|mutiny.*|reactive-streams";

    // What tests bring for themselves; migrations would fail without any, and without half of their own libraries.
    private static final String OF_TESTS = "spring-test|spring-boot-test.*|.*junit.*|mockito-.*"
            + "|spring-boot-flyway|flyway-.*|spring-boot-liquibase|liquibase-.*";

    static Stream<Arguments> startsWithout() {
        return Stream.of(
                Arguments.of("jms", JMS),
                Arguments.of("the API of jms", "jakarta\\.jms-api"),
                // spring-jms cannot be there without these two
                Arguments.of("messaging", MESSAGING + "|" + JMS),
                Arguments.of("transactions", TRANSACTIONS + "|" + JMS),
                Arguments.of("jackson", JACKSON),
                Arguments.of("micrometer", "micrometer-core|spring-boot-micrometer-.*"),
                Arguments.of("h2", "h2|" + BOOT_JDBC),
                Arguments.of("jdbc of Boot", BOOT_JDBC),
                Arguments.of("redis", REDIS),
                Arguments.of("lettuce", "lettuce-.*"),
                Arguments.of("health", "spring-boot-health"),
                Arguments.of("reactor", REACTOR),
                Arguments.of("reactive streams", REACTIVE),
                Arguments.of("nothing", "no-such-library"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void startsWithout(String name, String jars, CapturedOutput output) throws Exception {
        assertThat(effectsWithout(jars)).isEqualTo("ab1w");
        assertThat(output).doesNotContain("WARN").doesNotContain("ERROR");
    }

    @Test
    void startsOnTheStarterAlone(CapturedOutput output) throws Exception {
        String jars = String.join("|", JMS, MESSAGING, JACKSON, MICROMETER, TRANSACTIONS, REACTIVE, REDIS, "h2");
        assertThat(effectsWithout(jars)).isEqualTo("ab1w");
        assertThat(output).doesNotContain("WARN").doesNotContain("ERROR");
    }

    // Without it such values would have no effect, and no message of that kind an id.
    @ParameterizedTest
    @CsvSource({"message-id.json-pointer, /orderId", "message-id.sources, body"})
    void refusesWhatIsMeantForJsonWithoutJackson(String property, String value, CapturedOutput output) {
        assertThatThrownBy(() -> effectsWithout(JACKSON, "--idempotency." + property + "=" + value))
                .isInstanceOf(InvocationTargetException.class);
        assertThat(output)
                .contains("configuration property 'idempotency." + property + "'")
                .contains("JSON bodies are not read, since Jackson 3 is not on the class path."
                        + " Add spring-boot-starter-jackson.");
    }

    @ParameterizedTest
    @CsvSource({
        "--idempotency.message-id.json-pointer=/meta/id",
        "'--idempotency.message-id.sources=headers,body'",
        "'--idempotency.message-id.sources=body,broker-id'"
    })
    void startsWithWhatIsNotMeantForJsonAloneWithoutJackson(String argument) throws Exception {
        assertThat(effectsWithout(JACKSON, argument)).isEqualTo("ab1w");
    }

    private static String effectsWithout(String jars, String... arguments) throws Exception {
        Predicate<String> excluded =
                Pattern.compile("(" + jars + "|" + OF_TESTS + ")-\\d.*\\.jar").asMatchPredicate();
        URL[] path = classPath().stream()
                .filter(entry -> !excluded.test(entry.getFileName().toString()))
                .map(MissingLibrariesTests::url)
                .toArray(URL[]::new);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            return (String) loader.loadClass(BareApplication.class.getName())
                    .getMethod("run", String[].class)
                    .invoke(null, (Object) arguments);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static List<Path> classPath() {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Stream.of(path.split(File.pathSeparator)).map(Path::of).toList();
    }

    private static URL url(Path entry) {
        try {
            return entry.toUri().toURL();
        } catch (MalformedURLException ex) {
            throw new IllegalStateException(ex);
        }
    }
}
