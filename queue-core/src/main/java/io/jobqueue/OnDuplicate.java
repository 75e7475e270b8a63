package io.jobqueue;

/**
 * What happens to a request whose {@linkplain JobRequest#key key} is taken by another job
 * of its queue.
 * <p>
 * All but {@link #KEEP} update a waiting job (scheduled, ready, retrying or blocked): it
 * becomes what the request says, and keeps its id, its position and its attempts. They
 * differ while the job runs, and after it has succeeded, within its
 * {@linkplain JobRequest#dedupeFor window}.
 */
public enum OnDuplicate {

	/**
	 * The job does not change, and the request is dropped. An
	 * {@linkplain JobRequest#expiresAfter expired} job that is not cancelled yet is
	 * updated, as with {@link #UPDATE}.
	 */
	KEEP,

	/**
	 * A waiting job is updated; a running or recently succeeded one does not change. If a
	 * follow-up waits for the running job, the follow-up is updated.
	 */
	UPDATE,

	/**
	 * A waiting job is updated. A running job gets one follow-up, which runs when the job
	 * has finished, with the latest payload. After a recently succeeded job, a new job is
	 * added.
	 */
	REQUEUE,

	/**
	 * Like {@link #REQUEUE}, and each request restarts the delay, so that the job runs
	 * once, after the last request. A request without a delay or run-at is refused.
	 */
	DEBOUNCE

}
