package io.jobqueue;

/**
 * The outcome of {@link JobOperations#cancel}.
 */
public enum CancelOutcome {

	/**
	 * The job was waiting and will not run.
	 */
	CANCELLED,

	/**
	 * The job is running. Its handler can {@linkplain JobContext#cancelRequested read}
	 * the request; its result decides whether the job is cancelled.
	 */
	REQUESTED,

	/**
	 * The job had finished before.
	 */
	ALREADY_FINISHED,

	/**
	 * There is no such job: no job with this id was committed, or it is no longer in the
	 * archive.
	 */
	UNKNOWN

}
