/**
 * Consumes a topic of Kafka in handlers, beside a drain.
 */
@NullMarked
package io.jobqueue.benchmark.consume;

import org.jspecify.annotations.NullMarked;
