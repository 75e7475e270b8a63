package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * How one queue is served: {@code jobqueue.queues.<name>}. What is not set follows
 * {@link QueueDefaults}.
 */
class QueueOverrides {

	/**
	 * Maximum number of handlers that run at a time on this node; 0 for none.
	 */
	private @Nullable Integer concurrency;

	/**
	 * Number of jobs of the queue that all nodes together run at a time.
	 */
	private @Nullable Integer clusterConcurrency;

	/**
	 * Maximum rate at which all nodes together begin jobs of the queue; replaces the
	 * default as a whole.
	 */
	private @Nullable RateProperties rate;

	/**
	 * Number of jobs with the same limit key that run at a time, over all nodes.
	 */
	private @Nullable Integer concurrencyPerKey;

	/**
	 * What a dead job does to the others of its ordering key.
	 */
	private @Nullable DeadHead deadHead;

	/**
	 * Priority of jobs that are enqueued without one.
	 */
	private @Nullable String priority;

	/**
	 * Number of attempts after which a job is dead; 0 for no limit.
	 */
	private @Nullable Integer maxAttempts;

	/**
	 * Time that an attempt may take.
	 */
	private @Nullable Duration maxRunTime;

	/**
	 * Time after which the stack trace of a handler that is still running is logged; 0
	 * for never.
	 */
	private @Nullable Duration warnAfter;

	/**
	 * Name of the PayloadCodec bean that payloads are written and read with.
	 */
	private @Nullable String codec;

	/**
	 * How long a job waits after a failed attempt; replaces the default as a whole.
	 */
	private @Nullable BackoffProperties backoff;

	/**
	 * Exceptions that do not count among the failed attempts.
	 */
	private final ExpectedOverrides expected = new ExpectedOverrides();

	/**
	 * Whether the queue's retries wait for each other: while they fail, one of them runs
	 * at a time, in the whole cluster.
	 */
	private @Nullable Boolean probeRetries;

	/**
	 * How long the archive keeps finished jobs.
	 */
	private final RetentionOverrides retention = new RetentionOverrides();

	/**
	 * Options of single types of the queue, by the name of the type. They beat those of
	 * the type's @JobHandler.
	 */
	private final Map<String, TypeOverrides> types = new LinkedHashMap<>();

	public @Nullable Integer getConcurrency() {
		return this.concurrency;
	}

	public void setConcurrency(@Nullable Integer concurrency) {
		this.concurrency = concurrency;
	}

	public @Nullable Integer getClusterConcurrency() {
		return this.clusterConcurrency;
	}

	public void setClusterConcurrency(@Nullable Integer clusterConcurrency) {
		this.clusterConcurrency = clusterConcurrency;
	}

	public @Nullable RateProperties getRate() {
		return this.rate;
	}

	public void setRate(@Nullable RateProperties rate) {
		this.rate = rate;
	}

	public @Nullable Integer getConcurrencyPerKey() {
		return this.concurrencyPerKey;
	}

	public void setConcurrencyPerKey(@Nullable Integer concurrencyPerKey) {
		this.concurrencyPerKey = concurrencyPerKey;
	}

	public @Nullable DeadHead getDeadHead() {
		return this.deadHead;
	}

	public void setDeadHead(@Nullable DeadHead deadHead) {
		this.deadHead = deadHead;
	}

	public @Nullable String getPriority() {
		return this.priority;
	}

	public void setPriority(@Nullable String priority) {
		this.priority = priority;
	}

	public @Nullable Integer getMaxAttempts() {
		return this.maxAttempts;
	}

	public void setMaxAttempts(@Nullable Integer maxAttempts) {
		this.maxAttempts = maxAttempts;
	}

	public @Nullable Duration getMaxRunTime() {
		return this.maxRunTime;
	}

	public void setMaxRunTime(@Nullable Duration maxRunTime) {
		this.maxRunTime = maxRunTime;
	}

	public @Nullable Duration getWarnAfter() {
		return this.warnAfter;
	}

	public void setWarnAfter(@Nullable Duration warnAfter) {
		this.warnAfter = warnAfter;
	}

	public @Nullable String getCodec() {
		return this.codec;
	}

	public void setCodec(@Nullable String codec) {
		this.codec = codec;
	}

	public @Nullable BackoffProperties getBackoff() {
		return this.backoff;
	}

	public void setBackoff(@Nullable BackoffProperties backoff) {
		this.backoff = backoff;
	}

	public ExpectedOverrides getExpected() {
		return this.expected;
	}

	public @Nullable Boolean getProbeRetries() {
		return this.probeRetries;
	}

	public void setProbeRetries(@Nullable Boolean probeRetries) {
		this.probeRetries = probeRetries;
	}

	public RetentionOverrides getRetention() {
		return this.retention;
	}

	public Map<String, TypeOverrides> getTypes() {
		return this.types;
	}

	/**
	 * Options of one type of the queue. What is not set follows the type's handler, else
	 * the queue.
	 */
	static class TypeOverrides {

		/**
		 * Number of attempts after which a job is dead; 0 for no limit.
		 */
		private @Nullable Integer maxAttempts;

		/**
		 * Time that an attempt may take.
		 */
		private @Nullable Duration maxRunTime;

		/**
		 * How long a job waits after a failed attempt; replaces the default as a whole.
		 */
		private @Nullable BackoffProperties backoff;

		public @Nullable Integer getMaxAttempts() {
			return this.maxAttempts;
		}

		public void setMaxAttempts(@Nullable Integer maxAttempts) {
			this.maxAttempts = maxAttempts;
		}

		public @Nullable Duration getMaxRunTime() {
			return this.maxRunTime;
		}

		public void setMaxRunTime(@Nullable Duration maxRunTime) {
			this.maxRunTime = maxRunTime;
		}

		public @Nullable BackoffProperties getBackoff() {
			return this.backoff;
		}

		public void setBackoff(@Nullable BackoffProperties backoff) {
			this.backoff = backoff;
		}

	}

	/**
	 * Exceptions that do not count among the failed attempts of the queue.
	 */
	static class ExpectedOverrides {

		/**
		 * Comma-separated list of the names of exception classes.
		 */
		private @Nullable List<String> exceptions;

		/**
		 * Number of attempts of a job that may end with an expected exception before that
		 * counts like any other failure; 0 for no limit.
		 */
		private @Nullable Integer maxAttempts;

		/**
		 * How long a job waits after an expected exception; replaces the default as a
		 * whole.
		 */
		private @Nullable BackoffProperties backoff;

		public @Nullable List<String> getExceptions() {
			return this.exceptions;
		}

		public void setExceptions(@Nullable List<String> exceptions) {
			this.exceptions = exceptions;
		}

		public @Nullable Integer getMaxAttempts() {
			return this.maxAttempts;
		}

		public void setMaxAttempts(@Nullable Integer maxAttempts) {
			this.maxAttempts = maxAttempts;
		}

		public @Nullable BackoffProperties getBackoff() {
			return this.backoff;
		}

		public void setBackoff(@Nullable BackoffProperties backoff) {
			this.backoff = backoff;
		}

	}

	/**
	 * How long the archive keeps finished jobs of the queue.
	 */
	static class RetentionOverrides {

		/**
		 * Time for which succeeded jobs are kept; 0 for not at all.
		 */
		private @Nullable Duration succeeded;

		/**
		 * Time for which cancelled jobs are kept; 0 for not at all.
		 */
		private @Nullable Duration cancelled;

		/**
		 * Time for which dead jobs are kept; 0 for not at all.
		 */
		private @Nullable Duration dead;

		public @Nullable Duration getSucceeded() {
			return this.succeeded;
		}

		public void setSucceeded(@Nullable Duration succeeded) {
			this.succeeded = succeeded;
		}

		public @Nullable Duration getCancelled() {
			return this.cancelled;
		}

		public void setCancelled(@Nullable Duration cancelled) {
			this.cancelled = cancelled;
		}

		public @Nullable Duration getDead() {
			return this.dead;
		}

		public void setDead(@Nullable Duration dead) {
			this.dead = dead;
		}

	}

}
