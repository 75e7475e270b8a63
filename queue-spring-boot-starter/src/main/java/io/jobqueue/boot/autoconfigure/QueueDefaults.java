package io.jobqueue.boot.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * How queues are served: {@code jobqueue.defaults}.
 */
class QueueDefaults {

	/**
	 * Maximum number of handlers that run at a time on this node; 0 for none.
	 */
	private int concurrency = 16;

	/**
	 * Maximum number of jobs of the queue that all nodes together run at a time. Default:
	 * no limit.
	 */
	private @Nullable Integer clusterConcurrency;

	/**
	 * Maximum rate at which all nodes together begin jobs of the queue.
	 */
	@NestedConfigurationProperty
	private final RateProperties rate = new RateProperties();

	/**
	 * Maximum number of jobs with the same limit key that run at a time, over all nodes.
	 * Default: no limit.
	 */
	private @Nullable Integer concurrencyPerKey;

	/**
	 * Effect of a dead job on the others of its ordering key: continue (the next one
	 * runs) or hold (they wait until it is gone from the archive).
	 */
	private DeadHead deadHead = DeadHead.CONTINUE;

	/**
	 * Priority of jobs that are enqueued without one: a class (interactive, user-visible,
	 * eventual, reporting) or a number from 0 to 99.
	 */
	private String priority = "user-visible";

	/**
	 * Number of attempts after which a job is dead; 0 for no limit.
	 */
	private int maxAttempts = 25;

	/**
	 * Maximum time of an attempt. Then the handler is interrupted and the attempt has
	 * failed; a handler that ignores the interrupt runs beside its successor.
	 */
	private Duration maxRunTime = Duration.ofMinutes(30);

	/**
	 * Time after which the stack trace of a handler that is still running is logged; 0
	 * for never.
	 */
	private Duration warnAfter = Duration.ofMinutes(5);

	/**
	 * Name of the PayloadCodec bean that writes and reads payloads. Default: the only one
	 * that is not named for single queues, else JSON.
	 */
	private @Nullable String codec;

	/**
	 * How long a job waits after a failed attempt.
	 */
	@NestedConfigurationProperty
	private final BackoffProperties backoff = new BackoffProperties();

	/**
	 * Exceptions that do not count among the failed attempts.
	 */
	@NestedConfigurationProperty
	private final ExpectedProperties expected = new ExpectedProperties();

	/**
	 * Whether retries of a queue wait for each other: while they fail, one of them runs
	 * at a time, over all nodes.
	 */
	private boolean probeRetries = false;

	/**
	 * How long the archive keeps finished jobs.
	 */
	@NestedConfigurationProperty
	private final RetentionProperties retention = new RetentionProperties();

	public int getConcurrency() {
		return this.concurrency;
	}

	public void setConcurrency(int concurrency) {
		this.concurrency = concurrency;
	}

	public @Nullable Integer getClusterConcurrency() {
		return this.clusterConcurrency;
	}

	public void setClusterConcurrency(@Nullable Integer clusterConcurrency) {
		this.clusterConcurrency = clusterConcurrency;
	}

	public RateProperties getRate() {
		return this.rate;
	}

	public @Nullable Integer getConcurrencyPerKey() {
		return this.concurrencyPerKey;
	}

	public void setConcurrencyPerKey(@Nullable Integer concurrencyPerKey) {
		this.concurrencyPerKey = concurrencyPerKey;
	}

	public DeadHead getDeadHead() {
		return this.deadHead;
	}

	public void setDeadHead(DeadHead deadHead) {
		this.deadHead = deadHead;
	}

	public String getPriority() {
		return this.priority;
	}

	public void setPriority(String priority) {
		this.priority = priority;
	}

	public int getMaxAttempts() {
		return this.maxAttempts;
	}

	public void setMaxAttempts(int maxAttempts) {
		this.maxAttempts = maxAttempts;
	}

	public Duration getMaxRunTime() {
		return this.maxRunTime;
	}

	public void setMaxRunTime(Duration maxRunTime) {
		this.maxRunTime = maxRunTime;
	}

	public Duration getWarnAfter() {
		return this.warnAfter;
	}

	public void setWarnAfter(Duration warnAfter) {
		this.warnAfter = warnAfter;
	}

	public @Nullable String getCodec() {
		return this.codec;
	}

	public void setCodec(@Nullable String codec) {
		this.codec = codec;
	}

	public BackoffProperties getBackoff() {
		return this.backoff;
	}

	public ExpectedProperties getExpected() {
		return this.expected;
	}

	public boolean isProbeRetries() {
		return this.probeRetries;
	}

	public void setProbeRetries(boolean probeRetries) {
		this.probeRetries = probeRetries;
	}

	public RetentionProperties getRetention() {
		return this.retention;
	}

}
