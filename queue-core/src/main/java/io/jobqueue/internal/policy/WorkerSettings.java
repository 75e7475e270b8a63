package io.jobqueue.internal.policy;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The settings of a worker.
 *
 * @param name the name of the worker in logs and in the database, such as
 * {@code host:pid}
 * @param application the name of the application, {@code null} if unknown
 * @param minPriority the lowest priority value to serve
 * @param maxPriority the highest priority value to serve
 * @param pollInterval the shortest interval between two polls
 * @param maxPollInterval the longest interval between two polls while signals of other
 * nodes arrive
 * @param heartbeatInterval the interval between two heartbeats
 * @param timeout the time after the last heartbeat after which other workers take over
 * the jobs
 * @param shutdownTimeout the time that running handlers have to end after a stop
 * @param cancelGrace the time that a handler has to end after a request to cancel its job
 * @param releaseOnStop whether a stop interrupts handlers at once, without the shutdown
 * timeout
 * @param virtualThreads whether handlers run on virtual threads
 */
public record WorkerSettings(String name, @Nullable String application, int minPriority, int maxPriority,
		Duration pollInterval, Duration maxPollInterval, Duration heartbeatInterval, Duration timeout,
		Duration shutdownTimeout, Duration cancelGrace, boolean releaseOnStop, boolean virtualThreads) {

	/**
	 * Return the same settings with another timeout.
	 * @param timeout the time after the last heartbeat after which other workers take
	 * over the jobs
	 * @return a copy
	 */
	public WorkerSettings withTimeout(Duration timeout) {
		return new WorkerSettings(this.name, this.application, this.minPriority, this.maxPriority, this.pollInterval,
				this.maxPollInterval, this.heartbeatInterval, timeout, this.shutdownTimeout, this.cancelGrace,
				this.releaseOnStop, this.virtualThreads);
	}

}
