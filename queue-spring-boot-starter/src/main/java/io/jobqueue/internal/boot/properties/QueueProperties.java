package io.jobqueue.internal.boot.properties;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How queues are served: {@code jobqueue.defaults} for every queue, {@code
 * jobqueue.queues.<name>} for one. What is not set for a queue follows the defaults.
 *
 * @param concurrency Maximum number of handlers that run at a time on this node; 0 for
 * none.
 * @param clusterConcurrency Maximum number of jobs of the queue that all nodes together
 * run at a time. Default: no limit.
 * @param rate Maximum rate at which all nodes together begin jobs of the queue; replaces
 * the default as a whole.
 * @param concurrencyPerKey Maximum number of jobs with the same limit key that run at a
 * time, over all nodes. Default: no limit.
 * @param deadHead Effect of a dead job on the others of its ordering key: continue (the
 * next one runs) or hold (they wait until it is gone from the archive).
 * @param priority Priority of jobs that are enqueued without one: a class (interactive,
 * user-visible, eventual, reporting) or a number from 0 to 99.
 * @param maxAttempts Number of attempts after which a job is dead; 0 for no limit.
 * @param maxRunTime Maximum time of an attempt. Then the handler is interrupted and the
 * attempt has failed; a handler that ignores the interrupt runs beside its successor.
 * @param warnAfter Time after which the stack trace of a handler that is still running is
 * logged; 0 for never.
 * @param codec Name of the PayloadCodec bean that writes and reads payloads. Default: the
 * only one that is not named for single queues, else JSON.
 * @param backoff How long a job waits after a failed attempt; replaces the default as a
 * whole.
 * @param expected Exceptions that do not count among the failed attempts.
 * @param probeRetries Whether retries of a queue wait for each other: while they fail,
 * one of them runs at a time, over all nodes.
 * @param countedReleases Number of releases of a job in a row, by stops after its handler
 * had begun, from which on one counts as a failed attempt if the handler did not end when
 * interrupted; 0 for never.
 * @param transactionSize Maximum number of transactional jobs that share a transaction
 * while others wait, from 1 to 50; 1 for a transaction of its own for each job.
 * @param transactionTime Time from the start of the first handler of a shared transaction
 * after which no further one starts in it.
 * @param retention How long the archive keeps finished jobs.
 * @param relay Broker to which the jobs of the queue go instead of a handler; for one
 * queue only.
 * @param types Options of single types of the queue, by the name of the type; for one
 * queue only. They have precedence over those of {@code @JobHandler}.
 */
public record QueueProperties(@Nullable Integer concurrency, @Nullable Integer clusterConcurrency, @Nullable Rate rate,
		@Nullable Integer concurrencyPerKey, @Nullable DeadHead deadHead, @Nullable String priority,
		@Nullable Integer maxAttempts, @Nullable Duration maxRunTime, @Nullable Duration warnAfter,
		@Nullable String codec, @NestedConfigurationProperty @Nullable BackoffProperties backoff,
		@DefaultValue Expected expected, @Nullable Boolean probeRetries, @Nullable Integer countedReleases,
		@Nullable Integer transactionSize, @Nullable Duration transactionTime, @DefaultValue Retention retention,
		@Nullable Relay relay, @DefaultValue Map<String, TypeOptions> types) {

	/**
	 * The settings of a queue for which nothing is set.
	 */
	public static final QueueProperties DEFAULT = new QueueProperties(16, null, null, null, DeadHead.CONTINUE,
			"user-visible", 25, Duration.ofMinutes(30), Duration.ofMinutes(5), null, BackoffProperties.DEFAULT,
			new Expected(List.of(), 25, BackoffProperties.DEFAULT), false, 3, 1, Duration.ofMillis(250),
			new Retention(Duration.ofHours(24), Duration.ofHours(24), null), null, Map.of());

	/**
	 * Effect of a dead job on the others of its ordering key.
	 */
	public enum DeadHead {

		/**
		 * The next one runs.
		 */
		CONTINUE,

		/**
		 * They wait until it is gone from the archive.
		 */
		HOLD

	}

	/**
	 * Maximum number of jobs per period.
	 *
	 * @param limit Maximum number of jobs that all nodes together begin in any period.
	 * Default: no limit.
	 * @param period Length of the period.
	 */
	public record Rate(@Nullable Integer limit, @Nullable Duration period) {

	}

	/**
	 * Exceptions that do not count among the failed attempts.
	 *
	 * @param exceptions Comma-separated list of the names of exception classes.
	 * Subclasses and causes match too. Default: none.
	 * @param maxAttempts Number of attempts of a job that may end with an expected
	 * exception before that counts like any other failure; 0 for no limit.
	 * @param backoff How long a job waits after an expected exception; replaces the
	 * default as a whole.
	 */
	public record Expected(@Nullable List<String> exceptions, @Nullable Integer maxAttempts,
			@NestedConfigurationProperty @Nullable BackoffProperties backoff) {

	}

	/**
	 * How long the archive keeps finished jobs.
	 *
	 * @param succeeded Time for which succeeded jobs are kept; 0 for not at all.
	 * @param cancelled Time for which cancelled jobs are kept; 0 for not at all.
	 * @param dead Time for which dead jobs are kept; 0 for not at all. Default: until an
	 * operator decides.
	 */
	public record Retention(@Nullable Duration succeeded, @Nullable Duration cancelled, @Nullable Duration dead) {

	}

	/**
	 * Broker to which the jobs of a queue go.
	 *
	 * @param to Kind of the broker: kafka, with the module queue-kafka.
	 * @param topic Name of the topic.
	 */
	public record Relay(@Nullable String to, @Nullable String topic) {

	}

	/**
	 * Options of one type of a queue. What is not set follows the handler of the type,
	 * else the queue.
	 *
	 * @param maxAttempts Number of attempts after which a job is dead; 0 for no limit.
	 * @param maxRunTime Maximum time of an attempt. Then the handler is interrupted and
	 * the attempt has failed; a handler that ignores the interrupt runs beside its
	 * successor.
	 * @param backoff How long a job waits after a failed attempt; replaces that of the
	 * queue as a whole.
	 */
	public record TypeOptions(@Nullable Integer maxAttempts, @Nullable Duration maxRunTime,
			@Nullable BackoffProperties backoff) {

	}

}
