package io.jobqueue.internal.boot.properties;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the worker of a node: {@code jobqueue.worker}.
 *
 * @param enabled Whether this node runs jobs, the reaper and the purge. If not, it only
 * enqueues jobs, and its threads may pull jobs.
 * @param name Name of this node in rows, logs and thread names. Default: host:pid.
 * @param queues Comma-separated list of the queues to serve. Default: every queue with a
 * handler.
 * @param priorities Range of the priorities to serve, such as 0-19, or a single one.
 * Default: all.
 * @param pollInterval Interval at which idle workers poll for due jobs; workers that
 * serve the same queues, types and priorities take turns.
 * @param maxPollInterval Maximum interval to which idle polling backs off while commits
 * are known to wake up the worker.
 * @param heartbeatInterval Interval between two heartbeats of a worker.
 * @param timeout Time without a heartbeat after which a worker counts as dead and its
 * jobs are given to others; at least three heartbeat intervals.
 * @param start When the worker starts with the application: when that is ready, which is
 * after its runners (ready), or at the end of the refresh of its context (refreshed).
 * @param shutdownTimeout Time for running handlers to end on shutdown, before they are
 * interrupted and their jobs released.
 * @param cancelGrace Time between the request to cancel a running job and the interrupt
 * of its handler.
 * @param releaseOnStop Whether a stop interrupts running handlers at once, so that other
 * nodes can claim their jobs.
 * @param runAndExit Whether the application ends when no more jobs that this node serves
 * are due: with the exit code 0, or 1 if an attempt failed, a job died or a queue takes
 * no further jobs.
 * @param transactionalShare Share of the connection pool, above 0 and up to 1, that
 * transactional handlers may hold together. At least one connection is left to others.
 * @param wakeUp How an idle worker detects jobs that other nodes commit: by LISTEN on a
 * connection beside the pool where that is available, else by polling (auto), or by
 * polling alone (polling).
 */
public record WorkerProperties(@DefaultValue("true") boolean enabled, @Nullable String name,
		@Nullable Set<String> queues, @Nullable String priorities, @DefaultValue("500ms") Duration pollInterval,
		@DefaultValue("10s") Duration maxPollInterval, @DefaultValue("10s") Duration heartbeatInterval,
		@DefaultValue("60s") Duration timeout, @DefaultValue("ready") Start start,
		@DefaultValue("25s") Duration shutdownTimeout, @DefaultValue("30s") Duration cancelGrace,
		@DefaultValue("false") boolean releaseOnStop, @DefaultValue("false") boolean runAndExit,
		@DefaultValue("0.5") double transactionalShare, @DefaultValue("auto") WakeUp wakeUp) {

	/**
	 * When a worker starts.
	 */
	public enum Start {

		/**
		 * When the application is ready. A context that {@code SpringApplication} has not
		 * started is ready at the end of its refresh.
		 */
		READY,

		/**
		 * At the end of the refresh of its context.
		 */
		REFRESHED

	}

	/**
	 * How a worker detects jobs that other nodes commit.
	 */
	public enum WakeUp {

		/**
		 * By LISTEN where that is available, else by polling.
		 */
		AUTO,

		/**
		 * By polling alone.
		 */
		POLLING

	}

}
