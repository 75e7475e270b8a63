package io.jobqueue;

/**
 * Decides what happens after an attempt that failed. A bean of this type is chosen for a
 * handler by {@link JobHandler#retryPolicy()}.
 *
 * <pre class="code">
 * &#64;Bean
 * RetryPolicy politely() {
 *     return (failure) -&gt; (failure.exception() instanceof TooManyRequests busy)
 *             ? RetryDecision.retryIn(busy.retryAfter()) : RetryDecision.giveUp();
 * }</pre>
 *
 * <p>
 * It is asked on a worker's thread, outside any transaction, and not after the last
 * attempt: such a job is dead. A policy that throws is logged, and the policy of the
 * queue's settings decides instead.
 */
@FunctionalInterface
public interface RetryPolicy {

	/**
	 * Decide about a job whose attempt failed.
	 * @param failure the job and what its handler threw
	 * @return whether and when to try again
	 */
	RetryDecision decide(JobFailure failure);

}
