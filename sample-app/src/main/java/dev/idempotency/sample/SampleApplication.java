package dev.idempotency.sample;

import dev.idempotency.sample.demo.Demo;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The orders-and-payments service; with the profile {@code demo}, a run that ends by itself. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class SampleApplication {

    public static void main(String[] args) {
        var context = SpringApplication.run(SampleApplication.class, args);
        if (context.getEnvironment().matchesProfiles(Demo.PROFILE)) {
            System.exit(Demo.play(context, System.out));
        }
    }
}
