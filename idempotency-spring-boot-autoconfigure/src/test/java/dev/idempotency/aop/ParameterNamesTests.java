package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static dev.idempotency.fixture.Startup.faultsOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.fixture.RecordingOutcomes;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kind K9: a class without parameter names in its class file (O64). */
class ParameterNamesTests {

    @TempDir
    private static Path directory;

    private static URLClassLoader loader;

    @BeforeAll
    static void compileWithoutNames() throws IOException {
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(
                        null,
                        null,
                        null,
                        List.of("-g:none", "-proc:none", "-d", directory.toString()),
                        null,
                        List.of(new Source("ByName", "#order"), new Source("ByIndex", "#p0['id']")))
                .call();
        assertThat(compiled).isTrue();
        loader = new URLClassLoader(new URL[] {directory.toUri().toURL()}, ParameterNamesTests.class.getClassLoader());
    }

    @AfterAll
    static void close() throws IOException {
        loader.close();
    }

    @Test
    void refusesNamedFormAndSaysWhatToCompileWith() throws Exception {
        Class<?> listener = loader.loadClass("compiled.ByName");
        application()
                .withClassLoader(loader)
                .withUserConfiguration(listener)
                .run(context -> assertThat(faultsOf(context))
                        .containsExactly("compiled.ByName#on: Attribute 'messageId': \"#order\". No parameter has the"
                                + " name #order. Parameter names are not in the class file: compile with '-parameters',"
                                + " or write #p0, #p1."));
    }

    @Test
    void readsIdByIndex() throws Exception {
        Class<?> listener = loader.loadClass("compiled.ByIndex");
        application().withClassLoader(loader).withUserConfiguration(listener).run(context -> {
            Object bean = context.getBean(listener);
            listener.getMethod("on", Map.class).invoke(bean, Map.of("id", "7"));
            assertThat(context.getBean(RecordingOutcomes.class).messageIds()).containsExactly("7");
        });
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(String name, String expression) {
            super(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE);
            this.text = "package compiled; public class " + name + " {"
                    + " @dev.idempotency.Idempotent(messageId = \"" + expression + "\")"
                    + " public void on(java.util.Map<String, Object> order) {} }";
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
