package dev.idempotency.sample.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.DefaultResourceLoader;

/** Listener, sender and settings of the README are an application: what is sent twice takes effect once. */
class QuickStartTests {

    private static final Page README = Page.readme();

    @Test
    void skipsWhatIsSentTwice(@TempDir Path target) throws Exception {
        assertThat(Snippets.compile(README.blocks("java"), target)).isEmpty();
        try (URLClassLoader loader = new URLClassLoader(
                        new URL[] {target.toUri().toURL()}, getClass().getClassLoader());
                ConfigurableApplicationContext context = start(loader)) {
            Class<?> sender = loader.loadClass("OrderSender");
            Method send = sender.getDeclaredMethod("send", String.class, String.class);
            send.setAccessible(true);
            send.invoke(context.getBean(sender), "42", "{}");
            send.invoke(context.getBean(sender), "42", "{}");
            send.invoke(context.getBean(sender), "43", "{}");

            await().atMost(Duration.ofSeconds(20)).until(() -> count(context, "duplicate") == 1);
            await().atMost(Duration.ofSeconds(20)).until(() -> count(context, "processed") == 2);
        }
    }

    private static ConfigurableApplicationContext start(ClassLoader loader) throws Exception {
        return new SpringApplicationBuilder(
                        Quick.class, loader.loadClass("OrderListener"), loader.loadClass("OrderSender"))
                .resourceLoader(new DefaultResourceLoader(loader))
                .properties(
                        "spring.config.name=none",
                        "spring.main.web-application-type=none",
                        "spring.main.banner-mode=off",
                        "spring.artemis.mode=embedded",
                        "spring.artemis.embedded.queues=orders",
                        "idempotency.store=" + setting("idempotency.store"))
                .run();
    }

    private static String setting(String name) throws Exception {
        for (Page.Block block : README.blocks("yaml")) {
            var sources = new YamlPropertySourceLoader()
                    .load("readme", new ByteArrayResource(block.text().getBytes(StandardCharsets.UTF_8)));
            if (!sources.isEmpty() && sources.get(0).getProperty(name) != null) {
                return String.valueOf(sources.get(0).getProperty(name));
            }
        }
        throw new AssertionError(name);
    }

    private static double count(ConfigurableApplicationContext context, String outcome) {
        return context.getBean(MeterRegistry.class)
                .get("idempotency.messages")
                .tags("consumer", "payments", "outcome", outcome)
                .counter()
                .count();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Quick {}
}
