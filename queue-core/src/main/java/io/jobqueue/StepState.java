package io.jobqueue;

/**
 * The state of a step of a workflow. The job of a step that has begun has a
 * {@link JobState} of its own.
 */
public enum StepState {

	/**
	 * The step waits for other steps. It has no job yet.
	 */
	WAITING,

	/**
	 * The step has begun, and its job has not ended: it may be scheduled, waiting for a
	 * worker, running, or waiting for its next attempt.
	 */
	STARTED,

	/**
	 * The job of the step has succeeded.
	 */
	SUCCEEDED,

	/**
	 * The job of the step is dead, or was deleted before it had succeeded.
	 */
	FAILED,

	/**
	 * The job of the step was cancelled, or has expired. It counts as failed for other
	 * steps.
	 */
	CANCELLED,

	/**
	 * The step cannot begin any more: a condition of it can no longer hold, or the
	 * workflow was cancelled before. It begins nevertheless if a failed step is retried,
	 * and that changes the condition.
	 */
	SKIPPED;

	/**
	 * Return whether nothing follows this state unless an operator retries a step.
	 * @return {@code false} for {@link #WAITING} and {@link #STARTED}
	 */
	public boolean isFinal() {
		return this != WAITING && this != STARTED;
	}

	/**
	 * Return whether the step has failed for others.
	 * @return {@code true} for {@link #FAILED} and {@link #CANCELLED}
	 */
	public boolean isFailure() {
		return this == FAILED || this == CANCELLED;
	}

}
