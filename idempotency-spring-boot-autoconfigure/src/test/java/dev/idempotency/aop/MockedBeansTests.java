package dev.idempotency.aop;

import static dev.idempotency.fixture.Startup.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import dev.idempotency.Idempotent;
import dev.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

/** K14: tests of applications that replace a guarded bean, or look into it. */
class MockedBeansTests {

    @Nested
    @SpringBootTest(classes = App.class)
    class Spied {

        @MockitoSpyBean
        private Payments payments;

        @Test
        void isGuarded() {
            payments.on(message("1"));
            payments.on(message("1"));
            verify(payments, times(1)).on(message("1"));
        }
    }

    @Nested
    @SpringBootTest(classes = App.class)
    class Mocked {

        @MockitoBean
        private Payments payments;

        @Autowired
        private Billing billing;

        @Test
        void isNoFault() {
            payments.on(message("1"));
            billing.on(message("1"));
            assertThat(billing.calls()).isOne();
        }
    }

    @Nested
    @SpringBootTest(classes = App.class)
    class Both {

        @MockitoSpyBean
        private Payments payments;

        @MockitoBean
        private Billing billing;

        @Test
        void areNoFaults() {
            billing.on(message("2"));
            payments.on(message("2"));
            payments.on(message("2"));
            verify(payments, times(1)).on(message("2"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({AopAutoConfiguration.class, IdempotencyAutoConfiguration.class})
    @Import({Payments.class, Billing.class})
    static class App {}

    static class Payments {
        @Idempotent
        public void on(Map<String, Object> message) {}
    }

    static class Billing {
        private int calls;

        @Idempotent(consumer = "billing")
        public void on(Map<String, Object> message) {
            calls++;
        }

        // not the field: that of a proxy is another
        int calls() {
            return calls;
        }
    }
}
