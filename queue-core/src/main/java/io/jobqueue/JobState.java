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
	 * Waits for another job to finish.
	 */
	BLOCKED,

	/**
	 * Finished successfully.
	 */
	SUCCEEDED,

	/**
	 * Given up: its attempts are used up or its retry policy said so.
	 */
	DEAD,

	/**
	 * Cancelled by an operator or by the application.
	 */
	CANCELLED

}
