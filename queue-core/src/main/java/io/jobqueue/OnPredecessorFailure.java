package io.jobqueue;

/**
 * What a job does when a {@linkplain JobRequest#after predecessor} fails, that is, is
 * dead, cancelled or deleted.
 */
public enum OnPredecessorFailure {

	/**
	 * The job waits until the predecessor succeeds after a {@link JobOperations#retry},
	 * or until {@link JobOperations#release} releases the job.
	 */
	WAIT,

	/**
	 * The predecessor counts as finished: the job runs once all of them have finished.
	 */
	RUN,

	/**
	 * The job is {@link JobState#DEAD} without an attempt, and so are the jobs that wait
	 * for it and have this policy.
	 */
	FAIL

}
