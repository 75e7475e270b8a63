package io.jobqueue.signal;

import java.time.Duration;

/**
 * Says that a committed job is, or will be, due.
 *
 * @param queue the queue
 * @param dueIn how long until it is due, at the least
 */
public record JobSignal(String queue, Duration dueIn) {
}
