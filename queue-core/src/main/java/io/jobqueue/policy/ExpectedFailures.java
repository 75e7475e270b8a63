package io.jobqueue.policy;

import io.jobqueue.RetryPolicy;

/**
 * Failures that are part of the business: they have a limit and delays of their own.
 *
 * @param exceptions what such attempts end with
 * @param maxAttempts how many attempts of a job may end like that before such an end
 * counts like any other failure, 0 for any number
 * @param retryPolicy what decides after them
 */
public record ExpectedFailures(ExceptionTypes exceptions, int maxAttempts, RetryPolicy retryPolicy) {

	/**
	 * Return whether an attempt that failed is one of them.
	 * @param thrown what it ended with
	 * @param before how many attempts of the job ended like that before
	 * @return whether it is
	 */
	public boolean include(Throwable thrown, int before) {
		return (this.maxAttempts == 0 || before < this.maxAttempts) && this.exceptions.match(thrown);
	}

}
