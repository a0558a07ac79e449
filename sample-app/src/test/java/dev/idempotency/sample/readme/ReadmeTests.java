package dev.idempotency.sample.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.idempotency.IdempotencyStore;
import dev.idempotency.MessageKey;
import dev.idempotency.Outcome;
import dev.idempotency.autoconfigure.IdempotencyProperties;
import dev.idempotency.core.IdempotencyTemplate;
import dev.idempotency.sample.readme.Page.Block;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.InputStreamResource;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** What the README shows works, and what it names exists. */
class ReadmeTests {

    private static final Page README = Page.readme();
    private static final List<Page> PAGES = Page.all();
    private static final Metadata METADATA = Metadata.onClassPath();

    @Test
    void saysWhatItIsForAndIsShort() {
        assertThat(README.lines().get(0)).contains("messages");
        assertThat(README.lines()).hasSizeLessThanOrEqualTo(250);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyJavaSnippetCompilesWithoutWarning(Page page, @TempDir Path target) throws Exception {
        assertThat(Snippets.compile(page.blocks("java"), target)).isEmpty();
    }

    @Test
    void hasSnippets() {
        assertThat(README.blocks("java")).hasSizeGreaterThanOrEqualTo(3);
    }

    // The one snippet that could compile and yet be wrong.
    @Test
    void storeOfTheReadmeSkipsDuplicates(@TempDir Path target) throws Throwable {
        assertThat(Snippets.compile(README.blocks("java"), target)).isEmpty();
        JdbcClient jdbc = JdbcClient.create(new DriverManagerDataSource("jdbc:h2:mem:readme;DB_CLOSE_DELAY=-1"));
        for (Block ddl : README.blocks("sql")) {
            jdbc.sql(ddl.text().replace(";", "")).update();
        }
        List<String> effects = new ArrayList<>();
        IdempotencyStore store;
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {target.toUri().toURL()})) {
            Constructor<?> constructor = loader.loadClass("HandledMessages").getDeclaredConstructor(JdbcClient.class);
            constructor.setAccessible(true);
            store = (IdempotencyStore) constructor.newInstance(jdbc);
        }

        try (IdempotencyTemplate template = IdempotencyTemplate.builder(store).build()) {
            assertThat(template.execute("a", "1", () -> effects.add("a1")).outcome())
                    .isEqualTo(Outcome.PROCESSED);
            assertThat(template.execute("a", "1", () -> effects.add("a1")).outcome())
                    .isEqualTo(Outcome.DUPLICATE);
            assertThat(template.execute("b", "1", () -> effects.add("b1")).outcome())
                    .isEqualTo(Outcome.PROCESSED);
        }
        assertThat(effects).containsExactly("a1", "b1");
        assertThat(store.remember(MessageKey.of("a", "1"))).isFalse();
        store.forget(MessageKey.of("a", "1"));
        assertThat(store.seen(MessageKey.of("a", "1"))).isFalse();
    }

    @Test
    void everyYamlSnippetBinds() throws Exception {
        assertThat(README.blocks("yaml")).isNotEmpty();
        for (Block block :
                PAGES.stream().flatMap(page -> page.blocks("yaml").stream()).toList()) {
            List<PropertySource<?>> sources = new YamlPropertySourceLoader()
                    .load(
                            block.toString(),
                            new InputStreamResource(
                                    new ByteArrayInputStream(block.text().getBytes(StandardCharsets.UTF_8))));
            assertThat(sources).as(block.toString()).isNotEmpty();
            MutablePropertySources all = new MutablePropertySources();
            sources.forEach(all::addLast);
            assertThatNoException()
                    .as(block.toString())
                    .isThrownBy(() -> new Binder(ConfigurationPropertySources.from(all))
                            .bindOrCreate(
                                    "idempotency",
                                    Bindable.of(IdempotencyProperties.class),
                                    new NoUnboundElementsBindHandler(BindHandler.DEFAULT)));
            assertThat(METADATA.names()).as(block.toString()).containsAll(keys(sources));
        }
    }

    @Test
    void everyBlockIsOfAKindThatIsCheckedOrRunByHand() {
        assertThat(PAGES.stream().flatMap(page -> page.lines().stream()).filter(line -> line.startsWith("```")))
                .isSubsetOf("```", "```java", "```yaml", "```xml", "```sql", "```shell", "```text");
    }

    @Test
    void expressionForTheIdFindsIt() {
        record OrderCreated(String orderId) {}
        var context = new StandardEvaluationContext();
        context.setVariable("order", new OrderCreated("42"));
        List<MatchResult> expressions = README.find(Pattern.compile("messageId = \"([^\"]+)\""));

        assertThat(expressions).hasSize(1);
        assertThat(new SpelExpressionParser()
                        .parseExpression(expressions.get(0).group(1))
                        .getValue(context))
                .isEqualTo("42");
    }

    @Test
    void startersOfBootExist() {
        String pom = Page.text("sample-app/pom.xml");

        assertThat(README.find(Pattern.compile("`(spring-boot-starter-[a-z-]+)`")))
                .isNotEmpty()
                .allSatisfy(starter -> assertThat(pom).contains("<artifactId>" + starter.group(1) + "</artifactId>"));
    }

    @Test
    void everyDependencyExists() throws Exception {
        List<Block> blocks = README.blocks("xml");
        Document parent = xml(Page.text("pom.xml"));
        Set<Coordinates> known = new HashSet<>(dependencies(xml(Page.text("sample-app/pom.xml"))));

        assertThat(blocks).isNotEmpty();
        for (Block block : blocks) {
            List<Coordinates> shown = dependencies(xml("<snippet>" + block.text() + "</snippet>"));
            assertThat(shown).as(block.toString()).isNotEmpty();
            assertThat(known)
                    .as(block.toString())
                    .containsAll(shown.stream().map(Coordinates::withoutVersion).toList());
            assertThat(shown.stream().filter(Coordinates::isOurs).map(Coordinates::version))
                    .as(block.toString())
                    .isNotEmpty()
                    .containsOnly(child(parent.getDocumentElement(), "version"));
        }
    }

    @Test
    void propertiesHaveTheDefaultsOfTheTable() {
        Map<String, String> table = PAGES.stream()
                .flatMap(page ->
                        page.find(Pattern.compile("^\\| `(idempotency\\.[a-z.-]+)` \\| `?([^`|]*?)`? \\|")).stream())
                .filter(match -> METADATA.names().contains(match.group(1)))
                .collect(Collectors.toMap(match -> match.group(1), match -> match.group(2)));

        assertThat(table).hasSizeGreaterThanOrEqualTo(10);
        table.forEach((name, shown) -> {
            String documented = METADATA.defaultOf(name);
            assertThat(documented).as(name).isNotNull();
            if (!"".equals(documented)) {
                assertThat(shown).as(name).isEqualTo(documented);
            }
        });
        assertThat(table.keySet())
                .containsAll(METADATA.names().stream()
                        .filter(name -> name.startsWith("idempotency."))
                        .toList());
    }

    @Test
    void namesAllOutcomes() {
        String text = String.join("\n", README.lines());

        assertThat(Outcome.values()).allSatisfy(outcome -> assertThat(text).contains("`" + outcome.label() + "`"));
    }

    // Each attempt holds the copy for the wait, or for the doubled delay if that is longer.
    @Test
    void timesToTheDeadLettersAreThoseOfTheDefaults() {
        IdempotencyProperties defaults = new IdempotencyProperties();
        List<MatchResult> rows = README.find(
                Pattern.compile("^\\| `(\\d+)s`(?: \\(default\\))? \\| (\\d+) s \\| (\\d+) s \\| (\\d+) s \\|"));

        assertThat(rows).hasSize(3);
        for (MatchResult row : rows) {
            Duration wait = Duration.ofSeconds(Long.parseLong(row.group(1)));
            assertThat(List.of(row.group(2), row.group(3), row.group(4)))
                    .containsExactly(held(wait, 3, defaults), held(wait, 5, defaults), held(wait, 10, defaults));
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyLinkLeadsSomewhere(Page page) {
        Path place = Page.ROOT.resolve(page.path()).resolveSibling("");

        assertThat(page.find(Pattern.compile("\\]\\(([^)#]+)\\)")).stream()
                        .map(match -> match.group(1))
                        .filter(link -> !link.startsWith("http")))
                .allSatisfy(link -> assertThat(place.resolve(link)).exists());
    }

    @Test
    void leadsToEveryPage() {
        String text = String.join("\n", README.lines());

        assertThat(PAGES.stream().map(Page::path).filter(path -> !path.equals("README.md")))
                .allSatisfy(path -> assertThat(text).contains("](" + path + ")"));
    }

    static List<Page> pages() {
        return PAGES;
    }

    @Test
    void testCommandIsTheOneThatTheBuildServerRuns() {
        assertThat(README.lines()).contains("mvn -B verify");
        assertThat(Page.text(".ci/run").lines()).contains("mvn -B verify");
        assertThat(Files.isExecutable(Page.ROOT.resolve(".ci/run"))).isTrue();
    }

    private static String held(Duration wait, int attempts, IdempotencyProperties properties) {
        long seconds = IntStream.range(0, attempts)
                .mapToLong(attempt -> Math.min(
                        properties.getLaterDelay().toSeconds() << attempt,
                        properties.getLease().toSeconds()))
                .map(pause -> Math.max(pause, wait.toSeconds()))
                .sum();
        return String.valueOf(seconds);
    }

    private static List<String> keys(List<PropertySource<?>> sources) {
        return sources.stream()
                .flatMap(source -> Set.of(((EnumerablePropertySource<?>) source).getPropertyNames()).stream())
                .map(key -> key.replaceAll("\\[\\d+]", ""))
                .toList();
    }

    private static Document xml(String text) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(text)));
    }

    private static List<Coordinates> dependencies(Document document) {
        NodeList nodes = document.getElementsByTagName("dependency");
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> (Element) nodes.item(i))
                .map(node -> new Coordinates(child(node, "groupId"), child(node, "artifactId"), child(node, "version")))
                .toList();
    }

    private static String child(Element parent, String name) {
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node.getNodeName().equals(name)) {
                return node.getTextContent().strip();
            }
        }
        return "";
    }

    private record Coordinates(String groupId, String artifactId, String version) {

        Coordinates withoutVersion() {
            return new Coordinates(groupId, artifactId, "");
        }

        boolean isOurs() {
            return groupId.equals("dev.idempotency");
        }
    }
}
