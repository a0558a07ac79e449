package dev.idempotency.autoconfigure;

import dev.idempotency.IdempotencyMode;
import dev.idempotency.MissingIdPolicy;
import dev.idempotency.StoreFailurePolicy;
import dev.idempotency.listener.JmsLater;
import dev.idempotency.message.MessageIdSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Properties of the guard.
 *
 * @since 0.1
 */
@ConfigurationProperties("idempotency")
public class IdempotencyProperties {

    /** Whether methods annotated with @Idempotent are guarded. */
    private boolean enabled = true;

    /** Store that remembers processed messages. In memory, with a warning, if not set. */
    private @Nullable StoreType store;

    /** What sets this application apart from others on a shared store. If not set, the name of the application. */
    private @Nullable String namespace;

    /** When a message is marked as processed, and what happens to a copy that arrives meanwhile. */
    private IdempotencyMode mode = IdempotencyMode.AUTO;

    /** How long a processed message is remembered, from its mark. At least twice the lease. */
    private Duration retention = Duration.ofDays(7);

    /** How long a claim is held unless it is renewed. Renewed while the handler runs. */
    private Duration lease = Duration.ofSeconds(30);

    /** How long a claim is renewed at most. Not shorter than the lease. */
    private Duration leaseLimit = Duration.ofHours(1);

    /**
     * How long a copy waits for the end of the first before it goes back to the broker. If not set, what suits the
     * container: 35s for JMS, 1s in a call that no container made. Zero to not wait.
     */
    private @Nullable Duration inFlightWait;

    /** Pause before a message goes back to the broker. Doubled with each delivery, up to the lease. */
    private Duration laterDelay = Duration.ofSeconds(1);

    /** What happens to a message when the store does not answer before the handler runs. */
    private StoreFailurePolicy onStoreFailure = StoreFailurePolicy.DEFER;

    /** What happens to a message that has no usable id. */
    private MissingIdPolicy onMissingId = MissingIdPolicy.PROCESS;

    /** Order of the guard among other advice, smaller is further outside. Outside transactions by default. */
    private int order = GuardOrder.DEFAULT;

    private final MessageId messageId = new MessageId();

    private final Jms jms = new Jms();

    private final InMemory inMemory = new InMemory();

    public boolean isEnabled() {
        return enabled;
    }

    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    public @Nullable StoreType getStore() {
        return store;
    }

    public void setStore(@Nullable StoreType store) {
        this.store = store;
    }

    public @Nullable String getNamespace() {
        return namespace;
    }

    public void setNamespace(@Nullable String namespace) {
        this.namespace = namespace;
    }

    public IdempotencyMode getMode() {
        return mode;
    }

    public void setMode(IdempotencyMode mode) {
        this.mode = mode;
    }

    public Duration getRetention() {
        return retention;
    }

    public void setRetention(Duration retention) {
        this.retention = retention;
    }

    public Duration getLease() {
        return lease;
    }

    public void setLease(Duration lease) {
        this.lease = lease;
    }

    public Duration getLeaseLimit() {
        return leaseLimit;
    }

    public void setLeaseLimit(Duration leaseLimit) {
        this.leaseLimit = leaseLimit;
    }

    public @Nullable Duration getInFlightWait() {
        return inFlightWait;
    }

    public void setInFlightWait(@Nullable Duration inFlightWait) {
        this.inFlightWait = inFlightWait;
    }

    public Duration getLaterDelay() {
        return laterDelay;
    }

    public void setLaterDelay(Duration laterDelay) {
        this.laterDelay = laterDelay;
    }

    public StoreFailurePolicy getOnStoreFailure() {
        return onStoreFailure;
    }

    public void setOnStoreFailure(StoreFailurePolicy onStoreFailure) {
        this.onStoreFailure = onStoreFailure;
    }

    public MissingIdPolicy getOnMissingId() {
        return onMissingId;
    }

    public void setOnMissingId(MissingIdPolicy onMissingId) {
        this.onMissingId = onMissingId;
    }

    public int getOrder() {
        return order;
    }

    public void setOrder(int order) {
        this.order = order;
    }

    public MessageId getMessageId() {
        return messageId;
    }

    public Jms getJms() {
        return jms;
    }

    public InMemory getInMemory() {
        return inMemory;
    }

    /** Where the id of a message is looked for. */
    public static class MessageId {

        /** Further headers that carry the id, after the ones that are known. */
        private List<String> headers = new ArrayList<>();

        /** Where the id stands in a JSON body, as a JSON pointer of member names. */
        private String jsonPointer = "/meta/id";

        /** Sources of the id. Without the body it is never read; the broker's own id only counts if listed here. */
        private List<MessageIdSource> sources = List.of(MessageIdSource.BODY, MessageIdSource.HEADERS);

        public List<String> getHeaders() {
            return headers;
        }

        public void setHeaders(List<String> headers) {
            this.headers = headers;
        }

        public String getJsonPointer() {
            return jsonPointer;
        }

        public void setJsonPointer(String jsonPointer) {
            this.jsonPointer = jsonPointer;
        }

        public List<MessageIdSource> getSources() {
            return sources;
        }

        public void setSources(List<MessageIdSource> sources) {
            this.sources = sources;
        }
    }

    /** JMS listeners. */
    public static class Jms {

        /** How a message that cannot be decided yet goes back: by rollback, or, from a queue, as a delayed copy. */
        private JmsLater later = JmsLater.ROLLBACK;

        public JmsLater getLater() {
            return later;
        }

        public void setLater(JmsLater later) {
            this.later = later;
        }
    }

    /** In-memory store. */
    public static class InMemory {

        /** Number of messages that are kept at most. The oldest mark makes room, a live claim never does. */
        private int maxEntries = 100_000;

        public int getMaxEntries() {
            return maxEntries;
        }

        public void setMaxEntries(int maxEntries) {
            this.maxEntries = maxEntries;
        }
    }
}
