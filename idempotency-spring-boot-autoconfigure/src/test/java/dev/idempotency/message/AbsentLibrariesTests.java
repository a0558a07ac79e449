package dev.idempotency.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.MessageIdResolver;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Runs the resolver in a class loader of its own, whose class path really lacks a library. */
class AbsentLibrariesTests {

    private static final String ENVELOPE = "{\"job\":\"urn:x:y\",\"meta\":{\"id\":\"m-1\"}}";

    @Test
    @DisplayName("O77")
    void worksWithoutAnyOptionalLibrary() throws Exception {
        try (URLClassLoader loader = without("jackson", "jms", "spring-messaging")) {
            assertThat(resolve(loader, "plain", Map.of("bq-message-id", "h"))).isEqualTo("h");
            assertThat(resolve(loader, Map.of("meta", Map.of("id", 5)), Map.of()))
                    .isEqualTo("5");
            assertThat(resolve(loader, bean(loader), Map.of())).isEqualTo("m-1");
            assertThat(resolve(loader, "plain", Map.of("ce_source", "\"/a\"", "ce_id", 1)))
                    .isEqualTo("[\"/a\",\"1\"]");
            assertThat(resolve(loader, ENVELOPE, Map.of("MessageId", "h"))).isEqualTo("h");
            assertThat(resolve(loader, ENVELOPE, Map.of())).isNull();
            assertThat(resolve(loader, ENVELOPE.getBytes(), Map.of())).isNull();
            assertThat(resolve(loader, Map.of("__bq_frame", 1, "body", ENVELOPE), Map.of()))
                    .isNull();
        }
    }

    @Test
    @DisplayName("O77")
    void readsJsonTextWithJacksonsParserAlone() throws Exception {
        try (URLClassLoader loader = without("jackson-databind", "jms", "spring-messaging")) {
            assertThat(resolve(loader, ENVELOPE, Map.of())).isEqualTo("m-1");
            assertThat(resolve(loader, Map.of("meta", Map.of("id", 5)), Map.of()))
                    .isEqualTo("5");
        }
    }

    @Test
    void saysThatJsonIsNotReadWithoutJackson() throws Exception {
        try (URLClassLoader loader = without("jackson")) {
            assertThat(resolver(loader))
                    .asString()
                    .startsWith(
                            "the body at '/meta/id' (JSON bodies are not read: add spring-boot-starter-jackson), the"
                                    + " headers 'bq-message-id', ");
        }
        assertThat(StandardMessageIdResolver.builder().build()).asString().startsWith("the body at '/meta/id', the h");
    }

    @Test
    void worksWithoutOneOfTheMessageLibraries() throws Exception {
        for (String absent : List.of("jms", "spring-messaging")) {
            try (URLClassLoader loader = without(absent)) {
                assertThat(resolve(loader, ENVELOPE, Map.of())).isEqualTo("m-1");
            }
        }
    }

    // A body whose class, like an application's, is in the same loader.
    private static Object bean(ClassLoader loader) throws Exception {
        Class<?> shapes = loader.loadClass("dev.idempotency.message.shapes.HiddenShapes");
        return shapes.getMethod("privateRecord", String.class).invoke(null, "m-1");
    }

    private static Object resolve(ClassLoader loader, Object body, Map<String, ?> headers) throws Exception {
        return loader.loadClass(MessageIdResolver.class.getName())
                .getMethod("resolve", Object.class, Map.class)
                .invoke(resolver(loader), body, headers);
    }

    private static Object resolver(ClassLoader loader) throws Exception {
        Object builder = loader.loadClass(StandardMessageIdResolver.class.getName())
                .getMethod("builder")
                .invoke(null);
        return builder.getClass().getMethod("build").invoke(builder);
    }

    private static URLClassLoader without(String... libraries) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        int left = 0;
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            File file = new File(entry);
            if (Arrays.stream(libraries).anyMatch(file.getName()::contains)) {
                left++;
            } else {
                urls.add(file.toURI().toURL());
            }
        }
        assertThat(left).as("jars left out").isGreaterThanOrEqualTo(libraries.length);
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }
}
