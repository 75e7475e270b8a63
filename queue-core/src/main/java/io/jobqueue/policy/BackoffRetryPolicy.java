package io.jobqueue.policy;

import io.jobqueue.JobFailure;
import io.jobqueue.RetryDecision;
import io.jobqueue.RetryPolicy;

/**
 * Retries after each failure with the delay of a backoff.
 * 
 * @param backoff the backoff
 */
public record BackoffRetryPolicy(Backoff backoff) implements RetryPolicy {

	@Override
	public RetryDecision decide(JobFailure failure) {
		return RetryDecision.retryIn(this.backoff.delayAfter(failure.number()));
	}

}
