/**
 * Consumes topics of Kafka: each record becomes a job of a queue, once for each id,
 * before its offset is acknowledged.
 */
@NullMarked
package io.jobqueue.internal.kafka.consume;

import org.jspecify.annotations.NullMarked;
