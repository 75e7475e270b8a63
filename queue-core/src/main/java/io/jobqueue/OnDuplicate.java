package io.jobqueue;

/**
 * What becomes of a request whose {@linkplain JobRequest#key key} is taken by another job
 * of its queue.
 * <p>
 * A job that waits (scheduled, ready, retrying or blocked) is changed by all but
 * {@link #KEEP}: it becomes what the request says, and keeps its id, its place and its
 * attempts. What else differs is what happens while the job runs, and after it has
 * succeeded, as long as its {@linkplain JobRequest#dedupeFor window} lasts.
 */
public enum OnDuplicate {

	/**
	 * The job stays as it is, and the request is dropped, unless the job has
	 * {@linkplain JobRequest#expiresAfter expired}. Until it is cancelled, it is changed,
	 * as with {@link #UPDATE}.
	 */
	KEEP,

	/**
	 * A job that waits is changed; one that runs, or has recently succeeded, stays as it
	 * is. Where a follow-up waits for the running job, that is changed.
	 */
	UPDATE,

	/**
	 * A job that waits is changed. One that runs gets one follow-up, which runs when the
	 * job is finished, with the latest payload. One that has recently succeeded is
	 * followed by a new job.
	 */
	REQUEUE,

	/**
	 * Like {@link #REQUEUE}, for requests with a delay or run-at, without which they are
	 * refused: each of them restarts it, so that the job runs once, after the last.
	 */
	DEBOUNCE

}
