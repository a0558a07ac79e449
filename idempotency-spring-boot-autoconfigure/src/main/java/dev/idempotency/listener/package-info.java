/**
 * Bind the raw message to the container's call of its listener, and say what <em>settle</em> and <em>later</em> mean for
 * each kind of container.
 *
 * <p>One set of classes per broker, named after it and loaded only where its library is present. A broker is added here
 * alone: the guard knows {@link dev.idempotency.Delivery} and nothing of brokers.
 */
@NullMarked
package dev.idempotency.listener;

import org.jspecify.annotations.NullMarked;
