package io.jobqueue.policy;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.jobqueue.RetryPolicy;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.ClusterLimits;
import io.jobqueue.store.JobStore.AdmissionRules;

/**
 * How a node serves a queue.
 *
 * @param concurrency how many handlers run at a time, 0 for none
 * @param maxAttempts after how many attempts a job is given up, 0 for never
 * @param maxRunTime how long a claim lasts
 * @param maxRunTimeSetting the key of the setting that says so
 * @param warnAfter how long an attempt may take before it is logged, {@code null} for
 * ever
 * @param retryPolicy what decides after a failure
 * @param expected failures that do not count among the attempts, {@code null} for none
 * @param probeRetries whether retries wait for each other while they fail
 * @param keepSucceeded how long the archive keeps successes, {@code null} for ever, zero
 * for not at all
 * @param keepDead how long the archive keeps the dead, {@code null} for ever, zero for
 * not at all
 * @param limits what all workers together may claim
 * @param keys what jobs with an ordering or a limit key are subject to
 * @param types options of single types, which beat those of their handlers
 */
public record QueueSettings(int concurrency, int maxAttempts, Duration maxRunTime, String maxRunTimeSetting,
		@Nullable Duration warnAfter, RetryPolicy retryPolicy, @Nullable ExpectedFailures expected,
		boolean probeRetries, @Nullable Duration keepSucceeded, @Nullable Duration keepDead, ClusterLimits limits,
		AdmissionRules keys, Map<String, AttemptOptions> types) {

	private static final Pattern PUNCTUATION = Pattern.compile("[^\\p{L}\\p{N}]");

	/**
	 * Create settings that treat all types alike.
	 * @param concurrency how many handlers run at a time, 0 for none
	 * @param maxAttempts after how many attempts a job is given up, 0 for never
	 * @param maxRunTime how long a claim lasts
	 * @param maxRunTimeSetting the key of the setting that says so
	 * @param warnAfter how long an attempt may take before it is warned of, {@code null}
	 * for ever
	 * @param retryPolicy what decides after a failure
	 * @param expected failures that do not count among the attempts, {@code null} for
	 * none
	 * @param probeRetries whether retries wait for each other while they fail
	 * @param keepSucceeded how long the archive keeps successes, {@code null} for ever,
	 * zero for not at all
	 * @param keepDead how long the archive keeps the dead, {@code null} for ever, zero
	 * for not at all
	 * @param limits what all workers together may claim
	 * @param keys what jobs with an ordering or a limit key are subject to
	 */
	public QueueSettings(int concurrency, int maxAttempts, Duration maxRunTime, String maxRunTimeSetting,
			@Nullable Duration warnAfter, RetryPolicy retryPolicy, @Nullable ExpectedFailures expected,
			boolean probeRetries, @Nullable Duration keepSucceeded, @Nullable Duration keepDead, ClusterLimits limits,
			AdmissionRules keys) {
		this(concurrency, maxAttempts, maxRunTime, maxRunTimeSetting, warnAfter, retryPolicy, expected, probeRetries,
				keepSucceeded, keepDead, limits, keys, Map.of());
	}

	/**
	 * Return the same settings with another concurrency.
	 * @param concurrency how many handlers run at a time
	 * @return a copy
	 */
	public QueueSettings withConcurrency(int concurrency) {
		return new QueueSettings(concurrency, this.maxAttempts, this.maxRunTime, this.maxRunTimeSetting, this.warnAfter,
				this.retryPolicy, this.expected, this.probeRetries, this.keepSucceeded, this.keepDead, this.limits,
				this.keys, this.types);
	}

	/**
	 * Return the same settings with options of single types.
	 * @param types the options by type
	 * @return a copy
	 */
	public QueueSettings withTypes(Map<String, AttemptOptions> types) {
		return new QueueSettings(this.concurrency, this.maxAttempts, this.maxRunTime, this.maxRunTimeSetting,
				this.warnAfter, this.retryPolicy, this.expected, this.probeRetries, this.keepSucceeded, this.keepDead,
				this.limits, this.keys, types);
	}

	/**
	 * Return the options of a type.
	 * @param type the name of the type
	 * @return the options, without any if there are none
	 */
	public AttemptOptions ofType(String type) {
		return this.types.getOrDefault(nameOfOptions(type), AttemptOptions.NONE);
	}

	/**
	 * Return the name under which the options of a type are looked up.
	 * @param type the type
	 * @return the type's own name, or, if there are options under it, the name in lower
	 * case without punctuation: an environment variable can spell no other
	 */
	public String nameOfOptions(String type) {
		if (this.types.isEmpty() || this.types.containsKey(type)) {
			return type;
		}
		String plain = PUNCTUATION.matcher(type).replaceAll("").toLowerCase(Locale.ROOT);
		return this.types.containsKey(plain) ? plain : type;
	}

	/**
	 * Return the expected failures that include a failure. No failure of a job that runs
	 * at most once is expected.
	 * @param thrown what was thrown
	 * @param job the job
	 * @return how the failure is retried, {@code null} if it is not expected
	 */
	public @Nullable ExpectedFailures expecting(Throwable thrown, ClaimedJob job) {
		boolean expects = this.expected != null && !job.atMostOnce()
				&& this.expected.include(thrown, job.expectedFailures());
		return expects ? this.expected : null;
	}

}
