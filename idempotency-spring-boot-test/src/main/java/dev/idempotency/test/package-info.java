/**
 * The test kit: contracts that every store must hold, delivery sequences, and test doubles for time, stores and
 * listeners.
 *
 * <p>Who writes a store extends the contract of each capability it has, and {@link dev.idempotency.test.SequenceContract};
 * all tests must pass. They cite the ids of known cases of lost and doubled messages, such as O28.
 */
@NullMarked
package dev.idempotency.test;

import org.jspecify.annotations.NullMarked;
