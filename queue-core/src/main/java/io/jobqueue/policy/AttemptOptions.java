package io.jobqueue.policy;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.jobqueue.RetryPolicy;

/**
 * Options of the attempts of one type of jobs. What is {@code null} is not set.
 *
 * @param maxAttempts after how many attempts a job is given up, 0 for never
 * @param maxRunTime how long an attempt may take
 * @param retryPolicy what decides after a failure
 */
public record AttemptOptions(@Nullable Integer maxAttempts, @Nullable Duration maxRunTime,
		@Nullable RetryPolicy retryPolicy) {

	/**
	 * Nothing is set.
	 */
	public static final AttemptOptions NONE = new AttemptOptions(null, null, null);

	/**
	 * Return these options, and others where these are not set.
	 * @param others the others
	 * @return the options
	 */
	public AttemptOptions or(AttemptOptions others) {
		return new AttemptOptions((this.maxAttempts != null) ? this.maxAttempts : others.maxAttempts,
				(this.maxRunTime != null) ? this.maxRunTime : others.maxRunTime,
				(this.retryPolicy != null) ? this.retryPolicy : others.retryPolicy);
	}

}
