package dev.idempotency.bare;

import dev.idempotency.Idempotent;
import dev.idempotency.core.IdempotencyTemplate;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** An application on the starter and nothing else, to be run on a class path of any choice. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class BareApplication {

    @Bean
    Listener listener() {
        return new Listener();
    }

    /** Starts, delivers one message twice and another once, one of them without the annotation. Returns the effects. */
    public static String run(String... arguments) {
        SpringApplication application = new SpringApplication(BareApplication.class);
        application.setDefaultProperties(Map.of(
                "spring.main.banner-mode", "off", "idempotency.store", "in-memory", "logging.level.root", "WARN"));
        try (ConfigurableApplicationContext context = application.run(arguments)) {
            Listener listener = context.getBean(Listener.class);
            listener.on("a");
            listener.on("a");
            listener.on("b");
            listener.resolved(Map.of("meta", Map.of("id", "1")));
            listener.resolved(Map.of("meta", Map.of("id", "1")));
            context.getBean(IdempotencyTemplate.class)
                    .wrap("wrapped", listener::wrapped)
                    .accept(Map.of("meta", Map.of("id", "1")));
            return listener.effects();
        }
    }

    /** A listener that no container calls. */
    public static class Listener {

        private final StringBuilder effects = new StringBuilder();

        @Idempotent(messageId = "#p0")
        public void on(String id) {
            effects.append(id);
        }

        @Idempotent
        public void resolved(Map<String, Object> message) {
            effects.append("1");
        }

        public void wrapped(Map<String, Object> message) {
            effects.append("w");
        }

        public String effects() {
            return effects.toString();
        }
    }
}
