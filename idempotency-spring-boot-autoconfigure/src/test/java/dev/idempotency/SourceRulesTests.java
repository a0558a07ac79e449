package dev.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Rules of style that only the sources show. */
class SourceRulesTests {

    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");
    private static final Pattern SYNCHRONIZED = Pattern.compile("\\bsynchronized\\b");
    private static final int MOST_LINES = 250;

    private static final Map<Path, String> TEXTS = new TreeMap<>();

    @BeforeAll
    static void readSources() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .forEach(file -> TEXTS.put(SOURCES.relativize(file), text(file)));
        }
        assertThat(TEXTS).isNotEmpty();
    }

    /** A monitor that is held over a call of the store or the handler pins the carrier of a virtual thread (O82). */
    @Test
    void usesNoMonitor() {
        assertThat(where(text -> SYNCHRONIZED.matcher(withoutComments(text)).find()))
                .isEmpty();
    }

    @Test
    void keepsClassesShort() {
        assertThat(where(text -> text.lines().count() > MOST_LINES)).isEmpty();
    }

    @Test
    void saysTheJobOfEachPackage() {
        List<Path> packages =
                TEXTS.keySet().stream().map(Path::getParent).distinct().toList();
        assertThat(packages)
                .allSatisfy(pack -> assertThat(TEXTS.get(pack.resolve("package-info.java")))
                        .as(pack.toString())
                        .isNotNull()
                        .startsWith("/**")
                        .contains("@NullMarked"));
    }

    private static List<Path> where(Predicate<String> rule) {
        return TEXTS.entrySet().stream()
                .filter(entry -> rule.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static String withoutComments(String text) {
        return COMMENT.matcher(text).replaceAll("");
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
