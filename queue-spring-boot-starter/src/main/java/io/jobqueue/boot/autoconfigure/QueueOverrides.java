package io.jobqueue.boot.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How one queue is served: {@code jobqueue.queues.<name>}. What is not set follows
 * {@link QueueDefaults}.
 */
class QueueOverrides {

	/**
	 * Number of handlers that run at a time on this node; 0 for none.
	 */
	private @Nullable Integer concurrency;

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
	 * How long a job waits after a failed attempt; replaces the default as a whole.
	 */
	private @Nullable BackoffProperties backoff;

	/**
	 * How long the archive keeps finished jobs.
	 */
	private final RetentionOverrides retention = new RetentionOverrides();

	public @Nullable Integer getConcurrency() {
		return this.concurrency;
	}

	public void setConcurrency(@Nullable Integer concurrency) {
		this.concurrency = concurrency;
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

	public @Nullable BackoffProperties getBackoff() {
		return this.backoff;
	}

	public void setBackoff(@Nullable BackoffProperties backoff) {
		this.backoff = backoff;
	}

	public RetentionOverrides getRetention() {
		return this.retention;
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
