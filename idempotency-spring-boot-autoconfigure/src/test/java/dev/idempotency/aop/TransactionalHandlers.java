package dev.idempotency.aop;

import dev.idempotency.IdempotencyMode;
import dev.idempotency.Idempotent;
import java.io.IOException;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Guarded methods that declare a transaction in one way or another. */
final class TransactionalHandlers {

    private TransactionalHandlers() {}

    interface Handling {
        void on(Map<String, Object> message);
    }

    record Inserting(JdbcTemplate jdbc) {
        void effect() {
            jdbc.update("insert into effect values ('effect')");
        }
    }

    static class Declaring implements Handling {
        private final Inserting inserting;

        Declaring(JdbcTemplate jdbc) {
            this.inserting = new Inserting(jdbc);
        }

        @Override
        @Idempotent
        @Transactional
        public void on(Map<String, Object> message) {
            inserting.effect();
        }
    }

    static class FailingAfterEffect {
        private final Inserting inserting;

        FailingAfterEffect(JdbcTemplate jdbc) {
            this.inserting = new Inserting(jdbc);
        }

        @Idempotent
        @Transactional
        public void on(Map<String, Object> message) throws IOException {
            inserting.effect();
            throw new IOException("after the effect");
        }
    }

    static class Particular implements Handling {
        @Override
        @Idempotent
        @Transactional(isolation = Isolation.SERIALIZABLE, timeout = 7)
        public void on(Map<String, Object> message) {}
    }

    @Transactional
    static class DeclaringClass implements Handling {
        @Override
        @Idempotent
        public void on(Map<String, Object> message) {}
    }

    static class Undeclared implements Handling {
        @Override
        @Idempotent
        public void on(Map<String, Object> message) {}
    }

    static class ReadOnly implements Handling {
        @Override
        @Idempotent
        @Transactional(readOnly = true)
        public void on(Map<String, Object> message) {}
    }

    static class RequiresNew implements Handling {
        @Override
        @Idempotent
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void on(Map<String, Object> message) {}
    }

    static class NotSupported implements Handling {
        @Override
        @Idempotent
        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        public void on(Map<String, Object> message) {}
    }

    static class ClaimDespite implements Handling {
        @Override
        @Idempotent(mode = IdempotencyMode.CLAIM)
        @Transactional
        public void on(Map<String, Object> message) {}
    }

    static class Mandatory implements Handling {
        @Override
        @Idempotent
        @Transactional(propagation = Propagation.MANDATORY)
        public void on(Map<String, Object> message) {}
    }

    static class Quiet implements Handling {
        @Override
        @Idempotent
        @Transactional
        public void on(Map<String, Object> message) {}
    }

    static class OnTheStores implements Handling {
        @Override
        @Idempotent
        @Transactional("first")
        public void on(Map<String, Object> message) {}
    }

    static class OnAnother implements Handling {
        @Override
        @Idempotent
        @Transactional("second")
        public void on(Map<String, Object> message) {}
    }
}
