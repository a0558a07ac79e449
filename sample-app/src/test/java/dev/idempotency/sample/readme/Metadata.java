package dev.idempotency.sample.readme;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every property that the libraries on the class path document, with its default as text, empty if it has none. */
record Metadata(Map<String, String> defaults) {

    static Metadata onClassPath() {
        Map<String, String> defaults = new HashMap<>();
        try {
            ClassLoader loader = Metadata.class.getClassLoader();
            for (URL url : Collections.list(loader.getResources("META-INF/spring-configuration-metadata.json"))) {
                try (InputStream in = url.openStream()) {
                    for (JsonNode property : JsonMapper.shared().readTree(in).path("properties")) {
                        defaults.put(
                                property.path("name").asString(),
                                property.path("defaultValue").asString(""));
                    }
                }
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        return new Metadata(defaults);
    }

    Set<String> names() {
        return defaults.keySet();
    }

    @Nullable
    String defaultOf(String name) {
        return defaults.get(name);
    }
}
