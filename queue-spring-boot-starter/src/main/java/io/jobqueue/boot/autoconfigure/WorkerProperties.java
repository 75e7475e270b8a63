package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Settings of the worker of a node: {@code jobqueue.worker}.
 */
class WorkerProperties {

	/**
	 * Whether this node runs jobs, the reaper and the purge. If not, it only enqueues
	 * jobs, and its threads may pull jobs.
	 */
	private boolean enabled = true;

	/**
	 * Name of this node in rows, logs and thread names. Default: host:pid.
	 */
	private @Nullable String name;

	/**
	 * Comma-separated list of the queues to serve. Default: every queue with a handler.
	 */
	private @Nullable Set<String> queues;

	/**
	 * Range of the priorities to serve, such as 0-19, or a single one. Default: all.
	 */
	private @Nullable String priorities;

	/**
	 * Interval at which idle workers poll for due jobs; workers that serve the same
	 * queues, types and priorities take turns.
	 */
	private Duration pollInterval = Duration.ofMillis(500);

	/**
	 * Maximum interval to which idle polling backs off while commits are known to wake up
	 * the worker.
	 */
	private Duration maxPollInterval = Duration.ofSeconds(10);

	/**
	 * Interval between two heartbeats of a worker.
	 */
	private Duration heartbeatInterval = Duration.ofSeconds(10);

	/**
	 * Time without a heartbeat after which a worker counts as dead and its jobs are given
	 * to others; at least three heartbeat intervals.
	 */
	private Duration timeout = Duration.ofSeconds(60);

	/**
	 * Time for running handlers to end on shutdown, before they are interrupted and their
	 * jobs released. Keep it below spring.lifecycle.timeout-per-shutdown-phase.
	 */
	private Duration shutdownTimeout = Duration.ofSeconds(25);

	/**
	 * Time between the request to cancel a running job and the interrupt of its handler.
	 */
	private Duration cancelGrace = Duration.ofSeconds(30);

	/**
	 * Whether a stop interrupts running handlers at once, so that other nodes can claim
	 * their jobs.
	 */
	private boolean releaseOnStop = false;

	/**
	 * Whether the application ends when no more jobs that this node serves are due: with
	 * the exit code 0, or 1 if an attempt failed, a job died or a queue takes no further
	 * jobs.
	 */
	private boolean runAndExit = false;

	/**
	 * Share of the connection pool, above 0 and up to 1, that transactional handlers may
	 * hold together. At least one connection is left to others.
	 */
	private double transactionalShare = 0.5;

	/**
	 * How an idle worker detects jobs that other nodes commit: by LISTEN on a connection
	 * beside the pool where that is available, else by polling (auto), or by polling
	 * alone (polling).
	 */
	private WakeUp wakeUp = WakeUp.AUTO;

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public @Nullable String getName() {
		return this.name;
	}

	public void setName(@Nullable String name) {
		this.name = name;
	}

	public @Nullable Set<String> getQueues() {
		return this.queues;
	}

	public void setQueues(@Nullable Set<String> queues) {
		this.queues = queues;
	}

	public @Nullable String getPriorities() {
		return this.priorities;
	}

	public void setPriorities(@Nullable String priorities) {
		this.priorities = priorities;
	}

	public Duration getPollInterval() {
		return this.pollInterval;
	}

	public void setPollInterval(Duration pollInterval) {
		this.pollInterval = pollInterval;
	}

	public Duration getMaxPollInterval() {
		return this.maxPollInterval;
	}

	public void setMaxPollInterval(Duration maxPollInterval) {
		this.maxPollInterval = maxPollInterval;
	}

	public Duration getHeartbeatInterval() {
		return this.heartbeatInterval;
	}

	public void setHeartbeatInterval(Duration heartbeatInterval) {
		this.heartbeatInterval = heartbeatInterval;
	}

	public Duration getTimeout() {
		return this.timeout;
	}

	public void setTimeout(Duration timeout) {
		this.timeout = timeout;
	}

	public Duration getShutdownTimeout() {
		return this.shutdownTimeout;
	}

	public void setShutdownTimeout(Duration shutdownTimeout) {
		this.shutdownTimeout = shutdownTimeout;
	}

	public Duration getCancelGrace() {
		return this.cancelGrace;
	}

	public void setCancelGrace(Duration cancelGrace) {
		this.cancelGrace = cancelGrace;
	}

	public boolean isReleaseOnStop() {
		return this.releaseOnStop;
	}

	public void setReleaseOnStop(boolean releaseOnStop) {
		this.releaseOnStop = releaseOnStop;
	}

	public boolean isRunAndExit() {
		return this.runAndExit;
	}

	public void setRunAndExit(boolean runAndExit) {
		this.runAndExit = runAndExit;
	}

	public double getTransactionalShare() {
		return this.transactionalShare;
	}

	public void setTransactionalShare(double transactionalShare) {
		this.transactionalShare = transactionalShare;
	}

	public WakeUp getWakeUp() {
		return this.wakeUp;
	}

	public void setWakeUp(WakeUp wakeUp) {
		this.wakeUp = wakeUp;
	}

	/**
	 * How signals of other nodes arrive.
	 */
	enum WakeUp {

		/**
		 * By LISTEN, where that is available.
		 */
		AUTO,

		/**
		 * Not at all: polling finds the jobs.
		 */
		POLLING

	}

}
