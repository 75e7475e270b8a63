package io.jobqueue;

/**
 * Decides what happens after a failed attempt. {@link JobHandler#retryPolicy()} names the
 * bean of this type that a handler uses.
 *
 * <pre class="code">
 * &#64;Bean
 * RetryPolicy politely() {
 *     return (failure) -&gt; (failure.exception() instanceof TooManyRequests busy)
 *             ? RetryDecision.retryIn(busy.retryAfter()) : RetryDecision.giveUp();
 * }</pre>
 *
 * <p>
 * It is called on a worker's thread, outside any transaction, and not after the last
 * attempt: then the job is dead. An exception is logged, and the policy of the queue's
 * settings decides instead.
 */
@FunctionalInterface
public interface RetryPolicy {

	/**
	 * Decide what happens after a failed attempt.
	 * @param failure the job and what its handler threw
	 * @return whether and when the job runs again
	 */
	RetryDecision decide(JobFailure failure);

}
