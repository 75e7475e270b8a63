package io.jobqueue.internal.policy;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.jobqueue.RetryPolicy;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.JobStore.AdmissionRules;

/**
 * The settings with which a node serves a queue.
 *
 * @param concurrency the maximum number of handlers that run at a time, 0 for none
 * @param maxAttempts the maximum number of attempts, 0 for no limit
 * @param maxRunTime the maximum run time of an attempt, which is the length of its lease
 * @param maxRunTimeSetting the key of the setting that defines {@code maxRunTime}
 * @param warnAfter the run time after which an attempt is logged, {@code null} for no
 * logging
 * @param retryPolicy the policy that decides after a failure
 * @param expected failures that do not count among the attempts, {@code null} for none
 * @param probeRetries whether retries are held back while others fail
 * @param keepSucceeded the time for which the archive keeps succeeded jobs, {@code null}
 * for no limit, zero to keep none
 * @param keepDead the time for which the archive keeps dead jobs, {@code null} for no
 * limit, zero to keep none
 * @param limits the limits of the queue for all workers together
 * @param keys the admission rules of jobs with an ordering or a limit key
 * @param types the options of single types, which take precedence over those of their
 * handlers
 * @param countedReleases the number of releases by stops in a row from which on one
 * counts as a failed attempt if the handler did not end, 0 for never
 * @param transactions the limits of transactions that jobs share
 */
public record QueueSettings(int concurrency, int maxAttempts, Duration maxRunTime, String maxRunTimeSetting,
		@Nullable Duration warnAfter, RetryPolicy retryPolicy, @Nullable ExpectedFailures expected,
		boolean probeRetries, @Nullable Duration keepSucceeded, @Nullable Duration keepDead, ClusterLimits limits,
		AdmissionRules keys, Map<String, AttemptOptions> types, int countedReleases, TransactionLimits transactions) {

	private static final Pattern PUNCTUATION = Pattern.compile("[^\\p{L}\\p{N}]");

	/**
	 * Return the same settings with another concurrency.
	 * @param concurrency the maximum number of handlers that run at a time
	 * @return a copy
	 */
	public QueueSettings withConcurrency(int concurrency) {
		return new QueueSettings(concurrency, this.maxAttempts, this.maxRunTime, this.maxRunTimeSetting, this.warnAfter,
				this.retryPolicy, this.expected, this.probeRetries, this.keepSucceeded, this.keepDead, this.limits,
				this.keys, this.types, this.countedReleases, this.transactions);
	}

	/**
	 * Return the same settings without limits over all workers.
	 * @return a copy
	 */
	public QueueSettings withoutLimits() {
		return new QueueSettings(this.concurrency, this.maxAttempts, this.maxRunTime, this.maxRunTimeSetting,
				this.warnAfter, this.retryPolicy, this.expected, this.probeRetries, this.keepSucceeded, this.keepDead,
				ClusterLimits.NONE, this.keys, this.types, this.countedReleases, this.transactions);
	}

	/**
	 * Return the options of a type.
	 * @param type the name of the type
	 * @return the options, {@link AttemptOptions#NONE} if there are none
	 */
	public AttemptOptions ofType(String type) {
		return this.types.getOrDefault(nameOfOptions(type), AttemptOptions.NONE);
	}

	/**
	 * Return the name under which the options of a type are looked up.
	 * @param type the type
	 * @return the name of the type; if only its form in lower case without punctuation
	 * has options, that form, as environment variables cannot express another
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
	 * @param thrown the exception
	 * @param job the job
	 * @return the expected failures, {@code null} if the failure is not expected
	 */
	public @Nullable ExpectedFailures expecting(Throwable thrown, ClaimedJob job) {
		boolean expects = this.expected != null && !job.atMostOnce()
				&& this.expected.include(thrown, job.expectedFailures());
		return expects ? this.expected : null;
	}

}
