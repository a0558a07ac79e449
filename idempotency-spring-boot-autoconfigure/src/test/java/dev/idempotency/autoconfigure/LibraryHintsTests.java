package dev.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

/** A native image finds the optional libraries that a virtual machine finds (O80). */
class LibraryHintsTests {

    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final Pattern LOOK_UP = Pattern.compile("(?:isPresent|forName)\\(\\s*\"((?:\\w+\\.)+[A-Z]\\w*)\"");
    private static final Pattern READ =
            Pattern.compile("getResource(?:AsStream|s)?\\(|ResourceLoader|ClassPathResource");

    @Test
    void knowsEveryClassThatIsLookedUpByItsName() throws IOException {
        assertThat(found(LOOK_UP, 1)).hasSizeGreaterThan(3).isEqualTo(new TreeSet<>(LibraryHints.LOOKED_UP));
    }

    @Test
    void keepsThoseThatAreThere() {
        RuntimeHints hints = new RuntimeHints();
        new LibraryHints().registerHints(hints, getClass().getClassLoader());
        assertThat(LibraryHints.LOOKED_UP)
                .allSatisfy(name ->
                        assertThat(reflection().onType(TypeReference.of(name))).accepts(hints));
    }

    /** A resource that is read at run time takes a hint; class files are read where there are some, and not missed. */
    @Test
    void keepsTheResourcesThatAreRead() throws IOException {
        assertThat(filesWith(READ)).containsExactly("MessageScripts.java", "OwnCalls.java");
        RuntimeHints hints = new RuntimeHints();
        new LibraryHints().registerHints(hints, getClass().getClassLoader());
        assertThat(RuntimeHintsPredicates.resource().forResource("dev/idempotency/store/redis/claim.lua"))
                .accepts(hints);
        // read by Boot
        assertThat(RuntimeHintsPredicates.resource().forResource("dev/idempotency/store/jdbc/schema-h2.sql"))
                .accepts(hints);
    }

    private static Set<String> filesWith(Pattern pattern) throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> pattern.matcher(text(file)).find())
                    .map(file -> file.getFileName().toString())
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static Set<String> found(Pattern pattern, int group) throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(file -> {
                Matcher matcher = pattern.matcher(text(file));
                while (matcher.find()) {
                    found.add(matcher.group(group));
                }
            });
        }
        return found;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
