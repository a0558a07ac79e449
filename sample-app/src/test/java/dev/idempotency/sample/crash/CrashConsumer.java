package dev.idempotency.sample.crash;

import dev.idempotency.sample.OrderCreated;
import dev.idempotency.sample.PaymentProvider;
import dev.idempotency.sample.SampleApplication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.SpringApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;

/**
 * The sample's own consumer in a process of its own, until somebody ends it: its listener, its payments, its database. No
 * annotated class, or the scan of other tests would find it.
 */
class CrashConsumer {

    /** Takes properties as arguments, {@code --name=value}. */
    public static void main(String... arguments) {
        SpringApplication application = new SpringApplication(SampleApplication.class, CrashConsumer.class);
        application.run(arguments);
    }

    @Bean
    @Primary
    PaymentProvider slowProvider(Environment environment) throws IOException {
        return new SlowProvider(Path.of(environment.getRequiredProperty("crash.in-work")));
    }

    /** Takes a while, and shows by the size of a file how many handlers are in work just now. */
    private static final class SlowProvider implements PaymentProvider {

        private final FileChannel inWork;
        private final AtomicInteger running = new AtomicInteger();

        SlowProvider(Path file) throws IOException {
            this.inWork = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        }

        @Override
        public void charge(OrderCreated order) {
            show(running.incrementAndGet());
            try {
                Thread.sleep(ThreadLocalRandom.current().nextLong(15));
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
            } finally {
                show(running.decrementAndGet());
            }
        }

        private void show(int count) {
            try {
                inWork.write(ByteBuffer.wrap(new byte[] {(byte) count}), 0);
            } catch (IOException ex) {
                throw new UncheckedIOException(ex);
            }
        }
    }
}
