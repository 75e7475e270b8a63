package io.jobqueue.internal.policy;

import io.jobqueue.RetryPolicy;

/**
 * The failures that the application expects, with their own limit and retry policy.
 *
 * @param exceptions the exceptions of expected failures
 * @param maxAttempts the number of expected failures of a job after which further ones
 * count as other failures, 0 for no limit
 * @param retryPolicy the policy that decides after an expected failure
 */
public record ExpectedFailures(ExceptionTypes exceptions, int maxAttempts, RetryPolicy retryPolicy) {

	/**
	 * Return whether a failure is expected.
	 * @param thrown the exception of the attempt
	 * @param before the number of earlier expected failures of the job
	 * @return {@code true} if the failure is expected
	 */
	public boolean include(Throwable thrown, int before) {
		return (this.maxAttempts == 0 || before < this.maxAttempts) && this.exceptions.match(thrown);
	}

}
