package io.jobqueue.internal.policy;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.jobqueue.RetryPolicy;

/**
 * Options for the attempts of one job type. An option that is {@code null} is not set.
 * 
 * @param maxAttempts the maximum number of attempts, 0 for no limit
 * @param maxRunTime the maximum run time of an attempt
 * @param retryPolicy the policy that decides after a failure
 */
public record AttemptOptions(@Nullable Integer maxAttempts, @Nullable Duration maxRunTime,
		@Nullable RetryPolicy retryPolicy) {

	/**
	 * Options of which none is set.
	 */
	public static final AttemptOptions NONE = new AttemptOptions(null, null, null);

	/**
	 * Return a copy in which options that are not set are taken from others.
	 * @param others the other options
	 * @return the combined options
	 */
	public AttemptOptions or(AttemptOptions others) {
		return new AttemptOptions((this.maxAttempts != null) ? this.maxAttempts : others.maxAttempts,
				(this.maxRunTime != null) ? this.maxRunTime : others.maxRunTime,
				(this.retryPolicy != null) ? this.retryPolicy : others.retryPolicy);
	}

}
