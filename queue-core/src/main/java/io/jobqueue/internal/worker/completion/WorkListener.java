package io.jobqueue.internal.worker.completion;

import java.time.Duration;

import io.jobqueue.internal.store.ClaimedJob;

/**
 * Receives the times of claims, waits and runs. Jobs wait for the calls, so they must
 * neither block nor throw.
 */
public interface WorkListener {

	/**
	 * Ignores all times.
	 */
	WorkListener NONE = new WorkListener() {
	};

	/**
	 * Called after each claim, including failed ones.
	 * @param queue the name of the queue
	 * @param took the time until the answer or the failure
	 */
	default void claimed(String queue, Duration took) {
	}

	/**
	 * Called when the run of a job begins.
	 * @param job the job
	 * @param waited the time since the job became due; the part until its claim is by the
	 * database's clock
	 */
	default void begins(ClaimedJob job, Duration waited) {
	}

	/**
	 * Called when the outcome of a run is recorded or lost. Not called for a job that was
	 * released.
	 * @param job the job
	 * @param outcome the outcome of the run
	 * @param took the duration of the run
	 */
	default void ended(ClaimedJob job, RunOutcome outcome, Duration took) {
	}

}
