package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.application;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.Idempotent;
import dev.idempotency.autoconfigure.DisabledIdempotencyAutoConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.support.GenericApplicationContext;

/** K14: an application that starts without the guard starts with it: also one with a bean of an absent library. */
class UnreadableBeansTests {

    private final Class<?> unreadable = new WithoutLibrary().define(Unreadable.class);

    private ApplicationContextRunner lazily() {
        return application().withInitializer(context -> {
            RootBeanDefinition bean = new RootBeanDefinition(unreadable);
            bean.setLazyInit(true);
            ((GenericApplicationContext) context).registerBeanDefinition("unreadable", bean);
        });
    }

    @Test
    void startsWhereALazyBeanTakesWhatIsAbsent() {
        lazily().run(context -> {
            assertThat(context).hasNotFailed();
            // and it is never there without its guard
            assertThatThrownBy(() -> context.getBean("unreadable"))
                    .hasRootCauseInstanceOf(ClassNotFoundException.class);
        });
    }

    @Test
    void startsWhereTheGuardIsSwitchedOff() {
        lazily().withConfiguration(AutoConfigurations.of(DisabledIdempotencyAutoConfiguration.class))
                .withPropertyValues("idempotency.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    // no post-processor has seen it: so nobody else would say it
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void saysWhichReadyMadeBeanIsNotGuarded(CapturedOutput output) {
        application()
                .withInitializer(context -> context.getBeanFactory().registerSingleton("readyMade", made()))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output).contains("Methods of bean 'readyMade' cannot be read, so that none of them is");
                });
    }

    private Object made() {
        try {
            return unreadable.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException ex) {
            throw new AssertionError(ex);
        }
    }

    public static class Library {}

    public static class Unreadable {

        public Unreadable() {}

        public void with(Library library) {}

        @Idempotent
        public void on(Map<String, Object> message) {}
    }

    private static final class WithoutLibrary extends ClassLoader {

        WithoutLibrary() {
            super(UnreadableBeansTests.class.getClassLoader());
        }

        Class<?> define(Class<?> type) {
            String file = "/" + type.getName().replace('.', '/') + ".class";
            try (InputStream content = Objects.requireNonNull(type.getResourceAsStream(file))) {
                byte[] bytes = content.readAllBytes();
                return defineClass(type.getName(), bytes, 0, bytes.length);
            } catch (IOException ex) {
                throw new AssertionError(ex);
            }
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(Library.class.getName())) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }
    }
}
