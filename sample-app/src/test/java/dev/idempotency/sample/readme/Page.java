package dev.idempotency.sample.readme;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A page of the documentation, taken apart.
 *
 * @param path where it is, from the root of the project
 */
public record Page(String path, List<String> lines) {

    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern NAME = Pattern.compile("`((?:idempotency|management|spring)(?:\\.[a-z-]+)+)`");

    public static Page readme() {
        return read("README.md");
    }

    public static List<Page> all() {
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md"),
                            docs.map(page -> "docs/" + page.getFileName()).sorted())
                    .map(Page::read)
                    .toList();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static Page read(String path) {
        return new Page(path, text(path).lines().toList());
    }

    /** Returns the names of the meters that the text mentions: all dotted names of its that are no property. */
    public Set<String> meters() {
        Set<String> names = names();
        names.removeAll(Metadata.onClassPath().names());
        return names;
    }

    Set<String> names() {
        return NAME.matcher(String.join("\n", lines))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    List<MatchResult> find(Pattern pattern) {
        return lines.stream().flatMap(line -> pattern.matcher(line).results()).toList();
    }

    List<Block> blocks(String language) {
        List<Block> blocks = new ArrayList<>();
        String fence = "```";
        int start = -1;
        for (int line = 0; line < lines.size(); line++) {
            if (start >= 0 && lines.get(line).equals(fence)) {
                Block block = new Block(path, start + 1, lines.get(start).substring(3), lines.subList(start + 1, line));
                if (block.language().equals(language)) {
                    blocks.add(block);
                }
                start = -1;
            } else if (start < 0 && lines.get(line).startsWith(fence)) {
                start = line;
            }
        }
        return blocks;
    }

    static String text(String path) {
        try {
            return Files.readString(ROOT.resolve(path));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * A fenced block.
     *
     * @param line the line of the page on which it begins
     */
    record Block(String page, int line, String language, List<String> lines) {

        String text() {
            return String.join("\n", lines) + "\n";
        }

        @Override
        public String toString() {
            return page + ":" + line;
        }
    }

    @Override
    public String toString() {
        return path;
    }
}
