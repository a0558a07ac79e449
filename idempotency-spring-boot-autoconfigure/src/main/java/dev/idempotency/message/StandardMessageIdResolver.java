package dev.idempotency.message;

import dev.idempotency.MessageIdResolver;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the id of a message in its body and its headers, in this order:
 *
 * <ol>
 *   <li>the id in an <em>envelope</em>, which is a body with a text {@code job} or {@code urn} at its top;
 *   <li>the headers {@code bq-message-id} (in JMS {@code bq_message_id}), the AMQP property {@code message_id}
 *       ({@code amqp_messageId} or {@code amqp:message_id}), {@code MessageId}, the pair {@code source} and {@code id} of
 *       CloudEvents (beginning with {@code ce_}, {@code ce-}, {@code cloudEvents_} or {@code cloudEvents:}), further
 *       ones by name;
 *   <li>the id in any other body, the first use of which is logged at INFO, as it may mean something else there;
 *   <li>the broker's own id, if asked for.
 * </ol>
 *
 * <p>In a body the id is at {@code /meta/id}, or where {@link Builder#jsonPointer} says. A body is read if it is JSON as
 * text or bytes (which takes Jackson 3; without it such a body has no id), a map, a Jackson tree, a record or bean with
 * public accessors, or a Spring or JMS message that holds one of these; in a Redis frame the text inside. At most 8 MiB
 * of a body are looked at. Correlation and trace ids, delivery tags, offsets and Spring's {@code id} header are never
 * used.
 *
 * <p>Guarantee: bounded work, the body is left as it was, and a body or header that is broken or hostile gives no id
 * rather than an exception. It does not verify that ids are unique. Immutable and safe for use by many threads.
 *
 * @since 0.1
 */
public final class StandardMessageIdResolver implements MessageIdResolver {

    private static final Logger log = LoggerFactory.getLogger(StandardMessageIdResolver.class);

    private final Set<MessageIdSource> sources;
    private final IdPointer pointer;
    private final Unwrapper unwrapper;
    private final BodyIds bodyIds;
    private final HeaderIds headerIds;
    private final @Nullable String consumer;
    private final AtomicBoolean foreignIdUsed = new AtomicBoolean();

    private StandardMessageIdResolver(Builder builder) {
        this.sources = builder.sources;
        this.pointer = builder.pointer;
        this.unwrapper = new Unwrapper();
        this.bodyIds = new BodyIds(pointer);
        this.headerIds = builder.headerIds;
        this.consumer = null;
    }

    private StandardMessageIdResolver(StandardMessageIdResolver origin, String consumer) {
        this.sources = origin.sources;
        this.pointer = origin.pointer;
        this.unwrapper = origin.unwrapper;
        this.bodyIds = origin.bodyIds;
        this.headerIds = origin.headerIds;
        this.consumer = consumer;
    }

    /** Returns a builder with the defaults: body and headers, no further header, the pointer {@code /meta/id}. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns a resolver with the same settings that logs the first use of an id from a foreign body for one consumer,
     * by name. Cheap; meant to be made once for each consumer.
     *
     * @param consumer the stable name of the consumer
     */
    public StandardMessageIdResolver forConsumer(String consumer) {
        return new StandardMessageIdResolver(this, consumer);
    }

    @Override
    public @Nullable String resolve(@Nullable Object body, Map<String, ?> headers) {
        boolean readBody = sources.contains(MessageIdSource.BODY);
        Unwrapper.Unwrapped message = unwrapper.unwrap(body, headers, readBody);
        BodyId inBody = readBody ? bodyIds.find(message.body()) : BodyId.NONE;
        if (inBody.envelope() && inBody.id() != null) {
            return inBody.id();
        }
        String inHeaders = sources.contains(MessageIdSource.HEADERS) ? headerIds.find(message.headers()) : null;
        if (inHeaders != null) {
            return inHeaders;
        }
        if (inBody.id() != null) {
            noteForeignId();
            return inBody.id();
        }
        return sources.contains(MessageIdSource.BROKER_ID) ? headerIds.findBrokerId(message.headers()) : null;
    }

    /** For people: where the id is looked for. */
    @Override
    public String toString() {
        List<String> places = new ArrayList<>();
        if (sources.contains(MessageIdSource.BODY)) {
            places.add("the body at '" + pointer + "'"
                    + (bodyIds.readsJson() ? "" : " (JSON bodies are not read: add spring-boot-starter-jackson)"));
        }
        if (sources.contains(MessageIdSource.HEADERS)) {
            places.add("the headers " + headerIds);
        }
        if (sources.contains(MessageIdSource.BROKER_ID)) {
            places.add("the broker's own id");
        }
        return String.join(", ", places);
    }

    private void noteForeignId() {
        if (!foreignIdUsed.get() && foreignIdUsed.compareAndSet(false, true)) {
            log.info(
                    "Message id for {} taken from a body that is no envelope: '{}'. Such a member may mean something"
                            + " else there. If it does, set idempotency.message-id.sources to 'headers' or the attribute"
                            + " messageId of @Idempotent.",
                    consumer == null ? "any consumer" : "consumer '" + consumer + "'",
                    pointer);
        }
    }

    /**
     * Collects the settings of a {@link StandardMessageIdResolver}. Each method replaces what was set before and refuses
     * at once what cannot be. Not safe for use by many threads.
     *
     * @since 0.1
     */
    public static final class Builder {

        private Set<MessageIdSource> sources = EnumSet.of(MessageIdSource.BODY, MessageIdSource.HEADERS);
        private IdPointer pointer = IdPointer.parse("/meta/id");
        private HeaderIds headerIds = new HeaderIds(List.of());

        private Builder() {}

        /**
         * Sets where to look. The broker's own id is asked for here, and that is logged at WARN by {@link #build()}.
         *
         * @param sources one source or more, in any order
         * @return this builder
         * @throws IllegalArgumentException if there is none
         */
        public Builder sources(Collection<MessageIdSource> sources) {
            if (sources.isEmpty()) {
                throw new IllegalArgumentException("No source for the id of a message: '[]'. At least one is needed."
                        + " Set idempotency.message-id.sources to one or more of body, headers and broker-id.");
            }
            this.sources = EnumSet.copyOf(sources);
            return this;
        }

        /**
         * Sets further headers to look at, after those that are always looked at.
         *
         * @param names the names of the headers, as the container spells them, the most important first
         * @return this builder
         * @throws IllegalArgumentException if one is blank, or is known to hold a correlation or trace id, a delivery
         *     tag, an offset or Spring's generated id
         */
        public Builder headers(Collection<String> names) {
            this.headerIds = new HeaderIds(names);
            return this;
        }

        /**
         * Sets where a body has its id, be it an envelope or not. Names are also those of accessors, digits also the
         * place in an array.
         *
         * @param pointer a JSON pointer
         * @return this builder
         * @throws IllegalArgumentException if it is malformed, or points to the whole body
         */
        public Builder jsonPointer(String pointer) {
            this.pointer = IdPointer.parse(pointer);
            return this;
        }

        /** Returns a resolver with these settings. */
        public StandardMessageIdResolver build() {
            if (sources.contains(MessageIdSource.BROKER_ID)) {
                log.warn("Message ids may be the broker's own: 'broker-id'. These change whenever a message is sent"
                        + " again, so a duplicate sent by a producer, a retry or a redrive is not told as one. Remove"
                        + " the value from idempotency.message-id.sources if producers can set an id.");
            }
            return new StandardMessageIdResolver(this);
        }
    }
}
