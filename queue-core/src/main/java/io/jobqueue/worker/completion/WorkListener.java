package io.jobqueue.worker.completion;

import java.time.Duration;

import io.jobqueue.store.ClaimedJob;

/**
 * Is notified of how long work takes. It must be quick: jobs wait for it. What it throws
 * is logged once and has no other effect.
 */
public interface WorkListener {

	/**
	 * Called after the database was asked for jobs.
	 * @param queue the queue; a claim is of one only
	 * @param took how long the answer took, or the failure
	 */
	void claimed(String queue, Duration took);

	/**
	 * Called when the work on a job begins.
	 * @param job the job
	 * @param waited how long it had been due, by the database's clock until its claim
	 */
	void begins(ClaimedJob job, Duration waited);

	/**
	 * Called when the outcome of a run is known. Not called for a run whose job was given
	 * back uncounted.
	 * @param job the job
	 * @param outcome how the run ended
	 * @param took how long the work on the job took
	 */
	void ended(ClaimedJob job, RunOutcome outcome, Duration took);

}
