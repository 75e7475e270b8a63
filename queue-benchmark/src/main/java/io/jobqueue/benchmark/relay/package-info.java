/**
 * Relays to a topic of Kafka, beside handlers.
 */
@NullMarked
package io.jobqueue.benchmark.relay;

import org.jspecify.annotations.NullMarked;
