package io.jobqueue;

/**
 * The state of an instance of a workflow.
 */
public enum WorkflowState {

	/**
	 * A step waits for others, or its job has not ended.
	 */
	RUNNING,

	/**
	 * All steps have succeeded or were skipped.
	 */
	SUCCEEDED,

	/**
	 * All steps have ended, and at least one of them has failed or was cancelled, also if
	 * another one has followed its failure.
	 */
	FAILED,

	/**
	 * The instance was cancelled, and the jobs of all steps have ended.
	 */
	CANCELLED

}
