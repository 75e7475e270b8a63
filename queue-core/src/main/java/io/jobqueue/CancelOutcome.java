package io.jobqueue;

/**
 * What {@link JobOperations#cancel} did.
 */
public enum CancelOutcome {

	/**
	 * The job was waiting, and will not run.
	 */
	CANCELLED,

	/**
	 * The job is running. Its handler can see the request, and how it ends decides.
	 */
	REQUESTED,

	/**
	 * The job had ended before.
	 */
	ALREADY_FINISHED,

	/**
	 * There is no such job: none was committed under this id, or the archive does not
	 * keep it any more.
	 */
	UNKNOWN

}
