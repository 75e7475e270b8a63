package io.jobqueue.policy;

import java.time.Duration;

/**
 * How a node works.
 *
 * @param name its name in logs and in the database, such as {@code host:pid}
 * @param minPriority the lowest value of the priorities to serve
 * @param maxPriority the highest value of the priorities to serve
 * @param pollInterval how often an idle worker polls for jobs
 * @param maxPollInterval how rarely it may poll where commits wake it up
 * @param heartbeatInterval the interval of heartbeats
 * @param timeout how long after its last heartbeat other workers take over its jobs
 * @param shutdownTimeout how long running handlers may go on after a stop
 * @param cancelGrace how long a handler may go on once its job is to be cancelled
 * @param releaseOnStop whether a stop interrupts them at once instead
 * @param virtualThreads whether handlers run on virtual threads
 */
public record WorkerSettings(String name, int minPriority, int maxPriority, Duration pollInterval,
		Duration maxPollInterval, Duration heartbeatInterval, Duration timeout, Duration shutdownTimeout,
		Duration cancelGrace, boolean releaseOnStop, boolean virtualThreads) {
}
