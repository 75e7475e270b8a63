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
	 * Given up: its attempts are used up, its handler or its retry policy said so, or it
	 * was delivered at most once and came to grief.
	 */
	DEAD,

	/**
	 * Cancelled by an operator or by the application.
	 */
	CANCELLED;

	/**
	 * Return whether a job in this state has come to its end, and is archived.
	 * @return {@code true} for {@link #SUCCEEDED}, {@link #DEAD} and {@link #CANCELLED}
	 */
	public boolean isFinished() {
		return this == SUCCEEDED || this == DEAD || this == CANCELLED;
	}

}
