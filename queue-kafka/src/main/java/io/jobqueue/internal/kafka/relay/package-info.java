/**
 * Relays the jobs of a queue to a topic of Kafka: each becomes a record, and succeeds
 * when the broker has acknowledged that.
 */
@NullMarked
package io.jobqueue.internal.kafka.relay;

import org.jspecify.annotations.NullMarked;
