package io.jobqueue;

/**
 * The states of a job, as the view {@code jobqueue_jobs} shows them.
 */
public enum JobState {

	/**
	 * Waits for its first run-at.
	 */
	SCHEDULED,

	/**
	 * Due, and waits for a free worker.
	 */
	READY,

	/**
	 * Claimed by a worker.
	 */
	RUNNING,

	/**
	 * Failed, and waits for the next attempt.
	 */
	RETRYING,

	/**
	 * Waits for another job to finish, for its turn in its ordering key, or for a slot of
	 * its limit key.
	 */
	BLOCKED,

	/**
	 * Finished successfully.
	 */
	SUCCEEDED,

	/**
	 * Given up: its attempts are used up, its handler or its retry policy gave it up, it
	 * failed with a predecessor, or it was delivered at most once and its attempt failed
	 * or was lost.
	 */
	DEAD,

	/**
	 * Cancelled by an operator or by the application, or expired.
	 */
	CANCELLED;

	/**
	 * Return whether a job in this state has finished, so that it is no longer live.
	 * @return {@code true} for {@link #SUCCEEDED}, {@link #DEAD} and {@link #CANCELLED}
	 */
	public boolean isFinished() {
		return this == SUCCEEDED || this == DEAD || this == CANCELLED;
	}

}
